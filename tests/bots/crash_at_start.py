"""Dies before it reads anything, with a word to its standard error."""

import sys

import plain

plain.note_pid()
sys.exit("no model file")
