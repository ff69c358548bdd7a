"""The plan: its views, edited like a user does."""
