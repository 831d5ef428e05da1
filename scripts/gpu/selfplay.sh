#!/usr/bin/env bash
# Riichi self-play in pieces, several runs at once; give the same command again to continue.
#
#   bash scripts/gpu/selfplay.sh 590                       # seconds of the whole piece
#   MATCH=20000 ITERATIONS=260 bash scripts/gpu/selfplay.sh 590   # the last piece: rates fall to zero at iteration 260, then matches
#
# ARMS: lines "NAME SETTING…"; by default returns without luck and the control with plain returns. A run of the same
# name in data/carry/selfplay.tar.gz continues. MATCH: games of each run's averaged network against three imitated ones.
# Variables: ARMS, ITERATIONS, MATCH, MATCH_SECONDS (time kept for matches), THREADS, EXTRA (settings of all), OUT, WORK, PYTHON.
COMPILERS=${COMPILERS:-4}
. scripts/gpu/common.sh
TOTAL=${1:-590}
ARMS=${ARMS:-"luckfree returns=luckfree
plain returns=plain"}
mkdir -p "$WORK/selfplay"
if [ ! -e "$WORK/selfplay/going" ]; then
  [ -f data/carry/selfplay.tar.gz ] && tar xzf data/carry/selfplay.tar.gz -C "$WORK"
  touch "$WORK/selfplay/going"
fi
share_gpu
LEFT=$(( TOTAL - 25 - ${MATCH_SECONDS:-0} - $(elapsed) ))
MINUTES=$($PYTHON -c "print(round($LEFT / 60, 3))")
while read -r NAME SETTINGS; do
  WORDS=$(settings $SETTINGS ${EXTRA:-} gate_games=0 iterations=${ITERATIONS:-400})
  $PYTHON ${SAMPLED:-} scripts/train_selfplay.py "$WORK/selfplay/$NAME" --minutes "$MINUTES" --threads ${THREADS:-14} $WORDS >> "$WORK/selfplay/$NAME.log" 2>&1 &
done <<< "$ARMS"
if command -v nvidia-smi >/dev/null; then (sleep $(( LEFT / 2 )); nvidia-smi --query-gpu=utilization.gpu,memory.used --format=csv -l 1 | head -20 | tail -5; uptime) & fi
wait $(jobs -p | head -n "$(wc -l <<< "$ARMS")")
echo "training ended after $(elapsed) s"
if [ "${MATCH:-0}" -gt 0 ]; then
  while read -r NAME _; do
    $PYTHON scripts/measure_selfplay.py "$WORK/selfplay/$NAME" --values "$WORK/selfplay/$NAME" --games "$MATCH" --seed ${SEED:-5001} --out "$WORK/selfplay/$NAME-match.json" --threads ${THREADS:-14} 2>&1 | tee "$WORK/selfplay/$NAME-match.log" &
  done <<< "$ARMS"
  while [ -n "$(jobs -r)" ]; do
    sleep 1
    [ $(elapsed) -gt $(( TOTAL - 12 )) ] && { echo "matches were cut off"; break; }
  done
fi
tail -n 2 "$WORK"/selfplay/*.log
$PYTHON scripts/gpu/pack.py "$WORK" selfplay "$OUT"
echo "done after $(elapsed) s"
