"""Curves that are computed: `norm(AccelState.x, AccelState.y, AccelState.z)`."""
