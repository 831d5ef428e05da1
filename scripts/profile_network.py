"""How fast the riichi network learns and answers on this device, with attention in one kernel and in several.

    python scripts/profile_network.py --seconds 10

Positions are random: the time does not depend on what they say.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import torch

from janshi.features.riichi import layout as at
from janshi.features.riichi.encode import ROOM
from janshi.learn.imitation.config import ImitationConfig
from janshi.learn.imitation.network import Block, RiichiNet
from janshi.rules.riichi.actions import NUM_ACTIONS


def main() -> None:
    """Print decisions per second for each implementation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="time for each figure")
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--compiled", action="store_true", help="also measure torch.compile")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change a setting")
    arguments = parser.parse_args()
    config = ImitationConfig().changed(arguments.set)
    torch.set_float32_matmul_precision("high")
    for fused in (False, True):
        Block.fused = fused
        for compiled in (False, True) if arguments.compiled else (False,):
            for task in ("learn", "answer"):
                speed = measure(
                    config, arguments.batch, torch.device(arguments.device), compiled, task, arguments.seconds
                )
                way = f"attention in {'one kernel' if fused else 'several'}{', compiled' if compiled else ''}"
                print(f"{task:7} {way:32} {speed:12,.0f} decisions/s", flush=True)


def measure(
    config: ImitationConfig, batch: int, device: torch.device, compiled: bool, task: str, seconds: float
) -> float:
    """Decisions a second of one task."""
    torch.manual_seed(0)
    net = RiichiNet(config).to(device).train(task == "learn")
    ask = torch.compile(net, dynamic=False) if compiled else net
    optimiser = torch.optim.AdamW(net.parameters(), lr=1e-5, fused=device.type == "cuda")
    inputs = torch.randint(at.INPUTS, (batch, ROOM), device=device)
    inputs[:, ROOM // 2 :] = at.NO_INPUT
    drawn = torch.randint(34, (batch,), device=device)
    action = torch.randint(NUM_ACTIONS, (batch,), device=device)

    def learn() -> None:
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            said = ask(inputs, drawn)
        optimiser.zero_grad(set_to_none=True)
        torch.nn.functional.cross_entropy(said.policy, action).backward()  # type: ignore[no-untyped-call]
        optimiser.step()

    @torch.inference_mode()
    def answer() -> None:
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            ask(inputs, drawn)

    return batch / per_call(learn if task == "learn" else answer, device, seconds)


def per_call(work: Callable[[], None], device: torch.device, seconds: float) -> float:
    """Seconds of one call, after a few to warm up."""
    for _ in range(3):
        work()
    wait(device)
    began, calls = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        work()
        calls += 1
        if calls % 8 == 0:
            wait(device)
    wait(device)
    return (time.perf_counter() - began) / calls


def wait(device: torch.device) -> None:
    """Wait until the device has finished."""
    if device.type == "cuda":
        torch.cuda.synchronize()


if __name__ == "__main__":
    main()
