"""Measure how fast the riichi network learns and answers on this device, and where the time goes.

    python scripts/profile_network.py --seconds 5 --compiled --kernels 12

Positions are random, because the time does not depend on their content. On a GPU, attention is a single kernel
(`learn/attention`); `--steps` also measures it as separate products.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import torch

from janshi.features.riichi import layout as at
from janshi.features.riichi.packed import ROOM
from janshi.learn import attention
from janshi.learn.imitation.config import ImitationConfig
from janshi.learn.imitation.network import RiichiNet
from janshi.rules.riichi.actions import NUM_ACTIONS

Work = Callable[[], None]


def main() -> None:
    """Print decisions per second for each implementation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="time for each figure")
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--compiled", action="store_true", help="also measure torch.compile")
    parser.add_argument("--steps", action="store_true", help="also measure attention in separate products")
    parser.add_argument("--kernels", type=int, default=0, help="list this many of the kernels that take longest")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change a setting")
    arguments = parser.parse_args()
    config, device = ImitationConfig().changed(arguments.set), torch.device(arguments.device)
    torch.set_float32_matmul_precision("high")
    found = attention.kernels
    for in_steps in (False, True) if arguments.steps else (False,):
        attention.kernels = (lambda: None) if in_steps else found  # type: ignore[assignment]
        for compiled in (False, True) if arguments.compiled else (False,):
            for task in ("learn", "answer"):
                work = prepare(config, arguments.batch, device, compiled, task)
                speed = arguments.batch / per_call(work, device, arguments.seconds)
                way = f"attention in {'steps' if in_steps else 'one'}{', compiled' if compiled else ''}"
                print(f"{task:7} {way:32} {speed:12,.0f} decisions/s", flush=True)
                if arguments.kernels:
                    print(slowest(work, arguments.kernels), flush=True)


def prepare(config: ImitationConfig, batch: int, device: torch.device, compiled: bool, task: str) -> Work:
    """The work of one call."""
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

    return learn if task == "learn" else answer


def per_call(work: Work, device: torch.device, seconds: float) -> float:
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


def slowest(work: Work, count: int) -> str:
    """The kernels that take longest in a few calls."""
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as found:
        for _ in range(4):
            work()
        if torch.cuda.is_available():
            torch.cuda.synchronize()
    table = [event for event in found.key_averages() if event.device_time_total and event.device_type.name == "CUDA"]
    table.sort(key=lambda event: -event.self_device_time_total)
    total = sum(event.self_device_time_total for event in table) or 1
    return "\n".join(
        f"    {100 * event.self_device_time_total / total:5.1f} % {event.self_device_time_total / 4000:8.3f} ms "
        f"{event.count // 4:5} × {event.key[:90]}"
        for event in table[:count]
    )


def wait(device: torch.device) -> None:
    """Wait until the device has finished."""
    if device.type == "cuda":
        torch.cuda.synchronize()


if __name__ == "__main__":
    main()
