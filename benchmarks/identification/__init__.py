"""What `lapwing identify` finds in flights whose truth is known."""
