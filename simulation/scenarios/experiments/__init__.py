"""Experiments: what a script cannot fly. Each module's `run(Experiment) -> Outcome` is named by a
scenario's `experiment`."""
