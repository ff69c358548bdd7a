"""What works elsewhere is told where there is nothing more urgent, and can be called off."""

from app.background_jobs import BackgroundJobs
from app.messages import Messages
from tests.immediate import ImmediateJobs


def test_what_works_elsewhere_is_told_until_it_ends() -> None:
    jobs = BackgroundJobs(ImmediateJobs(), Messages())
    assert (jobs.elsewhere, jobs.can_cancel) == ("", False)
    words, called_off = ["", "Study … 3 %"], []
    ends = [
        jobs.follow(lambda: words[0], lambda: called_off.append(0)),
        jobs.follow(lambda: words[1], lambda: called_off.append(1)),
    ]
    assert jobs.can_cancel
    assert jobs.elsewhere == "Study … 3 %"
    assert jobs.progress == "", "that is for what the window waits for"
    assert not jobs.is_busy
    jobs.cancel()
    assert called_off == [1], "what is told of, not what has ended"
    ends[1]()
    ends[1]()  # twice is fine
    assert jobs.elsewhere == ""
    jobs.cancel()
    assert called_off == [1]
    ends[0]()
    assert not jobs.can_cancel
