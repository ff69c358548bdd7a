"""Recording of what an aircraft said: columns of object samples that many readers look into."""
