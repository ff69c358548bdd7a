"""Control laws on board: guidance, stabilization, mixer."""
