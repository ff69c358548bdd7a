"""What a recording becomes for other programs: tables, tracks, trajectories, a shorter log."""
