"""Exporting: what is asked of the user, and the jobs that write it."""
