#!/usr/bin/env bash
# One step of policy iteration in riichi: evidence by several processes, the fit, and matches against the network before.
#
#   bash scripts/gpu/improve.sh 590       # seconds of the whole piece
#
# Variables: NETWORK (the network to improve; empty: the package's), VALUES (package), COLLECT (seconds of play, starting
# included), PROCESSES (3), RATES (of the fit in all weights), MATCH (games of each match), EXTRA (settings), OUT, WORK, PYTHON.
set -u
TOTAL=${1:-590}
BEGAN=$(date +%s)
OUT=${OUT:-/tmp/out}; WORK=${WORK:-/tmp/janshi}; PYTHON=${PYTHON:-python3}
mkdir -p "$OUT" "$WORK/improve"
export PYTHONPATH=src PYTHONUNBUFFERED=1 OMP_NUM_THREADS=1
export JANSHI_CACHE_DIR=$WORK/cache/kernels TORCHINDUCTOR_CACHE_DIR=$WORK/cache/inductor TRITON_CACHE_DIR=$WORK/cache/triton
export TORCHINDUCTOR_COMPILE_THREADS=4
[ -f data/carry/cache.tar.gz ] && [ ! -d "$WORK/cache" ] && tar xzf data/carry/cache.tar.gz -C "$WORK"
command -v nvidia-cuda-mps-control >/dev/null && { nvidia-cuda-mps-control -d 2>/dev/null || true; }
WORDS=""
for one in network=${NETWORK:-} values=${VALUES:-package} ${EXTRA:-}; do WORDS="$WORDS --set $one"; done
for seed in $(seq ${FIRST_SEED:-0} $(( ${FIRST_SEED:-0} + ${PROCESSES:-3} - 1 ))); do
  $PYTHON scripts/improve_policy.py collect "$WORK/improve/evidence" --seconds ${COLLECT:-330} --seed $seed --threads ${THREADS:-14} $WORDS > "$WORK/improve/collect-$seed.log" 2>&1 &
done
wait
tail -n 2 "$WORK"/improve/collect-*.log
echo "collected after $(( $(date +%s) - BEGAN )) s"
OMP_NUM_THREADS=8 $PYTHON scripts/improve_policy.py fit "$WORK/improve/evidence" --out "$WORK/improve/improved.npz" --rate ${RATES:-} $WORDS 2>&1 | tee "$WORK/improve/fit.log"
echo "fitted after $(( $(date +%s) - BEGAN )) s"
AGAINST=""; [ -n "${NETWORK:-}" ] && AGAINST="--against $NETWORK"
for one in "$WORK"/improve/improved*.npz; do
  $PYTHON scripts/measure_selfplay.py "$one" $AGAINST --values ${VALUES:-package} --games ${MATCH:-20000} --seed ${SEED:-5001} --out "${one%.npz}-match.json" --threads ${THREADS:-14} 2>&1 | tee "${one%.npz}-match.log" &
done
while [ -n "$(jobs -r)" ]; do
  sleep 1
  [ $(( $(date +%s) - BEGAN )) -gt $(( TOTAL - 10 )) ] && { echo "matches were cut off"; break; }
done
tar czf "$OUT/improve.tar.gz" -C "$WORK/improve" --exclude evidence .
[ -n "${KEEP_CACHE:-}" ] && tar czf - -C "$WORK" cache | split -b 14M - "$OUT/cache.tar.gz."
echo "done after $(( $(date +%s) - BEGAN )) s"
