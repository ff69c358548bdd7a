"""Ground map that grows from what an aircraft sees: heights by range, colours by camera."""
