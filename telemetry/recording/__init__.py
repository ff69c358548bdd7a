"""What an aircraft said over time: columns of object samples that many readers look into."""
