"""Hardware settings: the ports of known boards, and what does not fit."""
