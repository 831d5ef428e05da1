"""mjai: bots that speak it at our tables, and our agents as its bots.

- `events`, `actions`: a game as events, and actions as messages;
- `bot`, `process`, `server`: an mjai bot at our tables, as a subprocess or over TCP;
- `tracker`, `client`: a view rebuilt from events, and an agent that answers them.
"""
