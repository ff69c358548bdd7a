"""The ground of everything: files, folders, clock, numbers, units, text formats, findings."""
