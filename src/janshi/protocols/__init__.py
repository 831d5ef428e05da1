"""Playing with anyone's bots: the mjai and Botzone protocols, from both sides."""
