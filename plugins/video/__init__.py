"""Video: what a camera on the aircraft saw at the cursor's instant."""

from plugins.api import Panel, Plugin

PLUGIN = Plugin(
    id="video",
    title="Video",
    description="Videos of a flight at the cursor, synchronised with its log to the frame.",
    panels=(
        Panel(
            id="view",
            title="Video",
            widget="plugins.video.panel:VideoPanel",
            can_be_stage=True,
            least_size=(240, 220),
            rate_hz=100,  # with every tick: left out of one, a frame of 33 ms may be missed
            least_hz=60,
            help=(
                "Drop a video here, or choose one below. The wheel zooms at the pointer, drag "
                "pans, double click fits, a right click turns. Click the picture, then , and . "
                "step by frames, with Alt they move the video against the log. Synchronise says "
                "how the two run together: scrub the video alone, find the cursor's instant in "
                "it, and set it there. The horizon of the log lies over the picture's if both are"
                " right. A live camera, also one that a simulated aircraft carries, is shown "
                "while the cursor is live, and recorded beside the log."
            ),
        ),
    ),
)
