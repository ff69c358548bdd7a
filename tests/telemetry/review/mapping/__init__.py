"""Maps that grow from what an aircraft sees."""
