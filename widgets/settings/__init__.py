"""Settings widgets: editors bound to what is staged, forms, lists of changes and findings."""
