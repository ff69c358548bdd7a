"""Orders to aircraft that need nobody who looks: one, a group, those that crossed a fence."""
