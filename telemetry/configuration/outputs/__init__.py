"""Outputs: what each drives, their banks, and what does not fit."""
