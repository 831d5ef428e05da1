"""The HTML report of luck: the page and its plots."""
