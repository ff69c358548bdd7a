"""Environment of one aircraft, as Gymnasium has them: a fleet of one."""

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.utils import EzPickle

from simulation.learning.columns import Numbers, SpaceColumn
from simulation.learning.flown_episodes import FlownEpisodes, episode_options

_ONE = np.array([0])


class LapwingEnv(gymnasium.Env[npt.NDArray[Any], npt.NDArray[Any]], EzPickle):
    """A task flown by one aircraft; `info` has the truth (`FlownEpisodes.truth`).

    An episode is terminated as its task says, and truncated by Gymnasium's own time limit.
    `observation_columns` and `action_columns` say what the numbers are. A copy, also a
    pickled one, is made of the same options, but begins anew: it is to be reset first.
    """

    def __init__(self, task: str, **options: Any) -> None:
        """`options` are those of `EpisodeOptions`. Raises ValueError for what cannot be flown."""
        EzPickle.__init__(self, task, **options)
        self._episodes = FlownEpisodes(1, task, episode_options(options))
        self.observation_space = self._episodes.observation_space
        self.action_space = self._episodes.action_space

    @property
    def observation_columns(self) -> tuple[SpaceColumn, ...]:
        """What is observed."""
        return self._episodes.observation_columns

    @property
    def action_columns(self) -> tuple[SpaceColumn, ...]:
        """What is commanded."""
        return self._episodes.action_columns

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """A new episode. With `seed` it is always the same one; there are no `options`."""
        super().reset(seed=seed)
        self._episodes.begin(_ONE, [self.np_random])
        return self._episodes.observe()[0], self._info()

    def step(self, action: Numbers) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Fly by this action, -1 to 1. Raises ValueError for what is no number or of another
        shape."""
        reward, ended = self._episodes.fly(np.asarray(action)[None])
        observation = self._episodes.observe()[0]
        return observation, float(reward[0]), bool(ended[0]), False, self._info()

    def close(self) -> None:
        """End the fleet's threads."""
        self._episodes.close()

    def _info(self) -> dict[str, Any]:
        return {
            name: values[0] if values.ndim > 1 else values[0].item()
            for name, values in self._episodes.truth().items()
        }
