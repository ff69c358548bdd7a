# %% [markdown]
# # A policy that learns to hover
#
# 128 quadrotors fly at once, `lapwing/Hover-v0`: they see where the target is, how fast they move,
# how they lean and turn, and ask for body rates and thrust 20 times a second, which their own
# autopilots fly. The policy is linear: 48 numbers, found by the cross-entropy method in seconds.

# %%
import gymnasium
import numpy as np
import numpy.typing as npt

import simulation.learning  # registers the environments

Array = npt.NDArray[np.float64]
CANDIDATES, STARTS = 64, 2
envs = gymnasium.make_vec("lapwing/Hover-v0", num_envs=CANDIDATES * STARTS)
assert isinstance(envs, simulation.learning.LapwingVectorEnv)
for column in (*envs.observation_columns, *envs.action_columns):
    print(f"{column.name:16} {column.low:6g} to {column.high:<5g} {column.unit} {column.frame}")

# %% [markdown]
# The policy leaves q_w out, which says nothing that the rest of the quaternion does not.

# %%
SEEN = [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12]
USUAL = np.array([2.0] * 6 + [0.2] * 3 + [1.0] * 3)


def actions(weights: Array, observation: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """What policies (n, 12, 4) do that see this (n, 13)."""
    seen = observation[:, SEEN] / USUAL
    wanted = (seen[:, :, None] * weights).sum(axis=1)
    return np.asarray(np.clip(wanted, -1.0, 1.0), np.float32)


# %% [markdown]
# Cross-entropy method: try policies drawn about a mean, let the best be the next mean. Each flies
# for 2.4 s from two starts; who falls out of the environment gains nothing more.

# %%
FLOWN, BEST, GENERATIONS = 48, 12, 14


def gains(candidates: Array, seed: int) -> Array:
    """The reward per action of each candidate (n, 12, 4)."""
    weights = np.repeat(candidates, STARTS, axis=0)
    observation, _ = envs.reset(seed=seed)
    flies, gained = np.ones(len(weights), bool), np.zeros(len(weights))
    for _ in range(FLOWN):
        observation, reward, terminated, _, _ = envs.step(actions(weights, observation))
        gained += np.where(flies, reward, 0.0)
        flies &= ~terminated
    return np.asarray(gained.reshape(-1, STARTS).mean(axis=1) / FLOWN)


generator = np.random.default_rng(2)
policy, deviation = np.zeros((12, 4)), np.full((12, 4), 0.3)
for generation in range(GENERATIONS):
    drawn = policy + deviation * generator.standard_normal((CANDIDATES, 12, 4))
    gained = gains(drawn, seed=1000 * generation)
    best = drawn[np.argsort(-gained)[:BEST]]
    policy, deviation = best.mean(axis=0), best.std(axis=0) + 0.02
    print(f"generation {generation}: {gained.mean():.2f}, the best {gained.max():.2f}")

# %% [markdown]
# What has it learned? Twenty starts that it has not seen, for ten seconds each, beside the policy
# that it began with, which does nothing: level, and with the thrust that carries the aircraft.


# %%
def errors_m(weights: Array) -> Array:
    """How far from its target each of twenty ends; infinite for one that did not stay."""
    tested = gymnasium.make_vec("lapwing/Hover-v0", num_envs=20)
    observation, _ = tested.reset(seed=77)
    stays = np.ones(20, bool)
    for _ in range(199):
        acted = actions(np.repeat(weights[None], 20, axis=0), observation)
        observation, _, terminated, _, _ = tested.step(acted)
        stays &= ~terminated
    tested.close()
    return np.where(stays, np.linalg.norm(observation[:, :3], axis=1), np.inf)


untrained_m, trained_m = errors_m(np.zeros((12, 4))), errors_m(policy)
print(f"untrained: {np.isfinite(untrained_m).sum()} of 20 stay")
print(f"trained: {np.isfinite(trained_m).sum()} of 20 stay, at most {trained_m.max():.2f} m away")
envs.close()
