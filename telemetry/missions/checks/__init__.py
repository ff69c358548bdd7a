"""What is wrong with a mission before it is sent: one module per subject, all in `check.py`."""
