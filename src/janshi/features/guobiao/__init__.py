"""Inputs of networks that play Guobiao.

- `planes`: the planes of Li et al. (2022), and ours;
- `plans`, `outlook`, `plan_planes`: ways to eight fan, how near a hand is to each, and planes of these.
"""
