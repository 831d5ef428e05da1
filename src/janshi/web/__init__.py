"""The app in the browser: play, watch, review, tools, and information about the players."""
