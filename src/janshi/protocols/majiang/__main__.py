"""Install majiang-ai and print the command that starts it: `python -m janshi.protocols.majiang`."""

from janshi.protocols.majiang import main

main()
