#!/usr/bin/env bash
# One step of policy iteration in riichi: evidence by several processes, the fit, and matches against the previous network.
#
#   bash scripts/gpu/improve.sh 590          # seconds of the whole piece: evidence, then fit and matches
#   bash scripts/gpu/improve.sh collect      # only evidence, for COLLECT seconds; setsid keeps it running
#   NAME=student NETWORK=student.npz COLLECTOR=package.npz bash scripts/gpu/improve.sh fit 280
#
# Variables: NETWORK (the network to improve; empty: the package's), COLLECTOR (fit: the network that collected the
# evidence, if another), VALUES (package), COLLECT (seconds of play, starting included), PROCESSES (3), THREADS (14),
# CHOICE_RATE (0: no values of choices), MATCH (games of each match), VALUED_MATCH (that of the player with values),
# AGAINST (three of these in the match; empty: the
# package's; by default NETWORK), NAME (of what is fitted), EXTRA (settings), EVIDENCE (folder of the evidence: 1.6 kB a
# decision, best in memory), OUT, WORK, PYTHON.
. scripts/gpu/common.sh
WHAT=${1:-590}
FOLDER=$WORK/improve
EVIDENCE=${EVIDENCE:-$FOLDER/evidence}
WORDS=$(settings network=${NETWORK:-} values=${VALUES:-package} ${EXTRA:-})
mkdir -p "$FOLDER"
[ -f data/carry/cache.tar.gz ] && [ ! -d "$WORK/cache" ] && tar xzf data/carry/cache.tar.gz -C "$WORK"
share_gpu

collect() {
  local seed first=${FIRST_SEED:-0}
  for seed in $(seq $first $(( first + ${PROCESSES:-3} - 1 ))); do
    $PYTHON scripts/improve_policy.py collect "$EVIDENCE" --seconds ${COLLECT:-330} --seed $seed --threads ${THREADS:-14} $WORDS > "$FOLDER/collect-$seed.log" 2>&1 &
  done
  wait
  tail -n 2 "$FOLDER"/collect-*.log
  echo "collected after $(elapsed) s"
}

# Fit, and play the result against the previous network while values of choices are still being fitted.
fit() {  # seconds
  local found="$FOLDER/${NAME:-improved}.npz" rival=${AGAINST-${NETWORK:-}} fitting
  OMP_NUM_THREADS=8 $PYTHON scripts/improve_policy.py fit "$EVIDENCE" --out "$found" --match ${VALUED_MATCH:-${MATCH:-20000}} --threads ${THREADS:-14} \
    --choice-rate ${CHOICE_RATE:-2e-4} ${COLLECTOR:+--collector $COLLECTOR} $WORDS > "${found%.npz}-fit.log" 2>&1 &
  fitting=$!
  ( while [ ! -f "${found%.npz}.json" ] && kill -0 $fitting 2>/dev/null; do sleep 1; done
    [ -f "${found%.npz}.json" ] && play "$found" "$rival" "${found%.npz}-match" ) &
  while [ -n "$(jobs -r)" ]; do
    sleep 1
    [ $(elapsed) -gt $(( $1 - 10 )) ] && { echo "no time left: matches were stopped"; break; }
  done
  cat "${found%.npz}-fit.log"
}

play() {  # candidate, rival, where the figures go
  $PYTHON scripts/measure_selfplay.py "$1" ${2:+--against $2} --values ${VALUES:-package} --games ${MATCH:-20000} --seed ${SEED:-5001} --out "$3.json" --threads ${THREADS:-14} 2>&1 | tee "$3.log"
}

case $WHAT in
  collect) collect; exit ;;
  fit) fit ${2:-280} ;;
  *) collect; fit "$WHAT" ;;
esac
tar czf "$OUT/improve.tar.gz" -C "$FOLDER" --exclude evidence .
[ -n "${KEEP_CACHE:-}" ] && tar czf - -C "$WORK" cache | split -b 14M - "$OUT/cache.tar.gz."
echo "done after $(elapsed) s"
