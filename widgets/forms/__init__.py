"""Forms: editors for field values, boxes for numbers, and the words of values."""
