"""Pack the files that the next session of a run and the figures need: python pack.py WORK NAME OUT.

Writes one archive, split into parts of 14 MiB (NAME.tar.gz.00, ...), at most 60 MiB in total. It contains, in this
order: what is needed to continue (light checkpoints of unfinished runs, small files of all runs), the results of runs
that finished in this session, and compiled kernels. Runs packed in an earlier session have a file `sent`.
"""

import io
import sys
import tarfile
from pathlib import Path

PIECE, MOST = 14 << 20, 58 << 20


def compressed(paths: list[Path], work: Path) -> bytes:
    """Files as one archive, named relative to a folder."""
    room = io.BytesIO()
    with tarfile.open(fileobj=room, mode="w:gz", compresslevel=3) as archive:
        for path in paths:
            archive.add(path, str(path.relative_to(work)))
    return room.getvalue()


def wanted(work: Path, name: str) -> list[Path]:
    """Files in order of importance."""
    folder = work / name
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and "tensorboard" not in path.parts]
    sent = {path.parent for path in files if path.name == "sent"}
    done = {path.parent for path in files if path.name == "finished.json"}
    kept = ("finished.json", "pieces.json", "sent")
    small = [path for path in files if path.name in kept or path.suffix in (".npy", ".log")]
    going = [path for path in files if path.name == "light.pt" and path.parent not in done]
    lines = [path for path in files if path.name == "curves.jsonl" and path.parent not in sent]
    results = [path for path in files if path.suffix == ".npz" and path.parent not in sent]
    if name == "selfplay":  # the first run can go on; of the others, the averaged networks
        text = [path for path in files if path.suffix in (".json", ".jsonl", ".log", ".txt")]
        tensors = [path for path in files if path.suffix == ".pt" and path.parent.name.startswith("saved-")]
        first = [path for path in tensors if path.parts[-3] == "luckfree"]
        others = [path for path in tensors if path not in first and path.name == "average.pt"]
        return [*text, *first, *(path for path in files if path.suffix == ".npz"), *others]
    if name == "guobiao":  # only the last piece goes on
        going = going[-1:]
    values = [folder / "runs" / f"{variant}-0" / "light.pt" for variant in ("basic", "global", "rl1")]  # for eq. 3
    kept = [path for path in values if path.is_file() and path.parent in done and path.parent not in sent]
    return [*small, *going, *lines, *kept, *results]


def main() -> None:
    """Pack as much as fits."""
    work, name, out = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    taken, left, total = [], [], 0
    cache = [work / "cache"] if (work / "cache").is_dir() else []
    for path in [*wanted(work, name), *cache]:
        size = len(compressed([path], work))
        print(f"  {path.relative_to(work)}: {size / 2**20:.2f} MiB") if path in cache else None
        (taken if total + size < MOST else left).append(path)
        total += size if total + size < MOST else 0
    packed = compressed(taken, work)
    for i, a in enumerate(range(0, len(packed), PIECE)):
        (out / f"{name}.tar.gz.{i:02d}").write_bytes(packed[a : a + PIECE])
    print(f"packed {len(taken)} files, {len(packed) / 2**20:.1f} MiB")
    if left:
        print("left out:", *left, sep="\n  ")


if __name__ == "__main__":
    main()
