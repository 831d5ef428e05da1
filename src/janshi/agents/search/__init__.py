"""The search player of Li et al. (2022): each action is valued by the winning hands it leaves within reach.

- `agent`: the player;
- `guobiao`: values of actions in Guobiao;
- `targets`, `shapes`: the winning hands near a Guobiao hand, standard or of other shapes;
- `simplified`: values of actions in simplified mahjong.
"""
