"""Log exports for other programs: tables, tracks, trajectories, a shorter log."""
