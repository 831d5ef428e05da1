"""The app in the browser: play, watch, review, tools, and what is known of the players."""
