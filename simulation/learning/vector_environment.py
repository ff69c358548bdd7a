"""Vector environment over a fleet: many aircraft, commanded and observed at once."""

import operator
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.utils import EzPickle
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from simulation.learning.columns import Array, Numbers, SpaceColumn
from simulation.learning.flown_episodes import FlownEpisodes, check_whole, episode_options

Flags = npt.NDArray[np.bool_]
Seed = int | Sequence[int | None] | npt.NDArray[np.integer[Any]] | None
Step = tuple[Numbers, Array, Flags, Flags, dict[str, Any]]


class LapwingVectorEnv(gymnasium.vector.VectorEnv[Numbers, Numbers, npt.NDArray[Any]], EzPickle):
    """A task flown by `num_envs` aircraft; `infos` have the truth of each, with masks.

    Each flies to the bit as it would alone, in an environment that was reset by its own seed. Who
    has come to an end begins anew at the next step, whatever its action is, with reward 0.
    A copy, also a pickled one, is made of the same options, but begins anew: it is to be reset
    first.
    """

    def __init__(
        self, num_envs: int, task: str, max_episode_steps: int | None = None, **options: Any
    ) -> None:
        """`options` are those of `EpisodeOptions`; None: episodes are not cut off. Raises
        ValueError for what cannot be flown."""
        EzPickle.__init__(self, num_envs, task, max_episode_steps, **options)
        if max_episode_steps is not None:
            check_whole("max_episode_steps", max_episode_steps)
        self.num_envs = num_envs
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}
        self._episodes = FlownEpisodes(num_envs, task, episode_options(options))
        self._longest = np.inf if max_episode_steps is None else max_episode_steps
        self.single_observation_space = self._episodes.observation_space
        self.single_action_space = self._episodes.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._generators: list[np.random.Generator] = []
        self._flown = np.zeros(num_envs, np.int64)  # steps of the episode
        self._is_over = np.zeros(num_envs, bool)

    @property
    def observation_columns(self) -> tuple[SpaceColumn, ...]:
        """What is observed of each."""
        return self._episodes.observation_columns

    @property
    def action_columns(self) -> tuple[SpaceColumn, ...]:
        """What is commanded of each."""
        return self._episodes.action_columns

    def reset(
        self,
        *,
        seed: Seed = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Numbers, dict[str, Any]]:
        """New episodes of all. Environment i has the seed `seed` + i, or its own of a sequence;
        where that is None its random numbers go on. There are no `options`. Raises ValueError for
        seeds of another number or kind, and for a "reset_mask"."""
        if options is not None and "reset_mask" in options:
            raise ValueError("There is no reset_mask: who has ended begins anew at the next step.")
        self._seed(seed)
        self._begin(np.ones(self.num_envs, bool))
        return self._episodes.observe(), self._infos()

    def step(self, actions: Numbers) -> Step:
        """Fly all by these actions (num_envs, actions), -1 to 1. Raises ValueError for what is no
        number or of another shape; whatever the actions of those are that begin anew."""
        begins = self._is_over
        reward, ended = self._episodes.fly(actions, begins)
        self._flown += 1
        truncated = self._flown >= self._longest
        reward[begins], ended[begins], truncated[begins] = 0.0, False, False
        self._is_over = ended | truncated
        self._begin(begins)
        return self._episodes.observe(), reward, ended, truncated, self._infos()

    def close_extras(self, **_: Any) -> None:
        """End the fleet's threads."""
        self._episodes.close()

    def _seed(self, seed: Seed) -> None:
        seeds = _seeds_of(seed, self.num_envs)
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
        if not self._generators:
            self._generators = [np_random()[0] for _ in range(self.num_envs)]
        for i, own in enumerate(seeds):
            if own is not None:
                self._generators[i] = np_random(own)[0]

    def _begin(self, begins: Flags) -> None:
        which = np.flatnonzero(begins)
        self._episodes.begin(which, [self._generators[i] for i in which])
        self._flown[which] = 0
        self._is_over = self._is_over & ~begins

    def _infos(self) -> dict[str, Any]:
        infos: dict[str, Any] = {}
        for name, values in self._episodes.truth().items():
            infos[name], infos[f"_{name}"] = values, np.ones(self.num_envs, bool)
        return infos


def _seeds_of(seed: Seed, count: int) -> list[int | None]:
    """The seed of each, None for one whose random numbers go on."""
    try:
        if seed is None:
            seeds: list[int | None] = [None] * count
        elif isinstance(seed, int | np.integer):
            seeds = [int(seed) + i for i in range(count)]
        else:
            seeds = [None if own is None else operator.index(own) for own in seed]
    except TypeError:
        seeds = []
    if len(seeds) != count or any(own is not None and own < 0 for own in seeds):
        raise ValueError(
            f"Seeds cannot be {seed!r}; give one whole number, 0 or more, or {count} of them."
        )
    return seeds
