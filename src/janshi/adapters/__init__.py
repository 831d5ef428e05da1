"""Our games as environments of other libraries: PettingZoo (`aec`) and Gymnasium (`vector`).

They need the extra `janshi[env]`; nothing else in the package imports these libraries.
"""
