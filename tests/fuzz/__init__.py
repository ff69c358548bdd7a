"""Every parser of what comes from elsewhere, fed with damaged and hostile inputs."""
