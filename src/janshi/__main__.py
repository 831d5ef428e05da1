"""`python -m janshi` is the `janshi` command."""

from janshi.cli import main

if __name__ == "__main__":
    main()
