# Sourced by the other scripts: folders of runs and results, and the caches that runs share.
#
# Variables: OUT (results), WORK (runs and caches), PYTHON, COMPILERS (processes that compile for the GPU; 4).
set -u
BEGAN=$(date +%s)
OUT=${OUT:-/tmp/out}; WORK=${WORK:-/tmp/janshi}; PYTHON=${PYTHON:-python3}
mkdir -p "$OUT" "$WORK"
export PYTHONPATH=src PYTHONUNBUFFERED=1 OMP_NUM_THREADS=1
export JANSHI_CACHE_DIR=$WORK/cache/kernels TORCHINDUCTOR_CACHE_DIR=$WORK/cache/inductor TRITON_CACHE_DIR=$WORK/cache/triton
export TORCHINDUCTOR_COMPILE_THREADS=${COMPILERS:-4}

elapsed() { echo $(( $(date +%s) - BEGAN )); }

# Start MPS, with which several processes share a GPU better. Calling it again does nothing.
share_gpu() {
  command -v nvidia-cuda-mps-control >/dev/null && { nvidia-cuda-mps-control -d 2>/dev/null || true; }
}

# Settings as options: "a=1 b=2" becomes "--set a=1 --set b=2".
settings() {
  local one
  for one in "$@"; do printf -- ' --set %s' "$one"; done
}
