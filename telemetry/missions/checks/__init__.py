"""Mission checks, made before one is sent: one module per subject, all in `check.py`."""
