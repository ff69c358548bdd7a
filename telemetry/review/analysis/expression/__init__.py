"""Expressions: computed curves, as `norm(AccelState.x, AccelState.y, AccelState.z)`."""
