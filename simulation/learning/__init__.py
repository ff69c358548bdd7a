"""Environments for learning, as Gymnasium has them: importing this package registers them.

    import gymnasium
    import simulation.learning

    env = gymnasium.make("lapwing/Hover-v0")
    envs = gymnasium.make_vec("lapwing/Hover-v0", num_envs=1000)

Each is a task (`simulation.learning.hover`, `.track`, `.land`, `.corridor`), made with the options
of `simulation.learning.flown_episodes.EpisodeOptions`.
"""

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"Environments take {error.name}, which is not installed: pip install 'lapwing[studies]'.",
        name=error.name,
    ) from None

from simulation.learning.environment import LapwingEnv
from simulation.learning.flown_episodes import TASKS
from simulation.learning.vector_environment import LapwingVectorEnv

__all__ = ["LapwingEnv", "LapwingVectorEnv"]


def _place(thing: type) -> str:
    return f"{thing.__module__}:{thing.__name__}"


for _name, _task in TASKS.items():
    gymnasium.register(
        f"lapwing/{_name}-v0",
        entry_point=_place(LapwingEnv),
        vector_entry_point=_place(LapwingVectorEnv),
        max_episode_steps=_task.longest_steps,
        kwargs={"task": _name},
    )
