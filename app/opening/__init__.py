"""Opening: logs, flights, videos and folders of them."""
