#!/usr/bin/env bash
# Policy iteration in riichi: several processes play while one improves the policy; then matches in several processes.
#
#   bash scripts/gpu/improve.sh 590                                              # seconds of the whole run
#   setsid nohup bash scripts/gpu/improve.sh 1150 > improve.log 2>&1 &           # continues after the shell ends
#
# Variables: NETWORK (the network to improve; empty: the package's), VALUES (package), ENOUGH (open decisions of a
# generation), PROCESSES (collectors), THREADS (of each), MATCH (games against three of NETWORK), MATCHES (processes that
# share them), GAMES (of matches: east, south or mixed), MATCH_SECONDS (time kept for them), SEED (of the matches), EXTRA
# (settings), EVIDENCE (folder, best in memory: 1.6 kB a decision), OUT, WORK, PYTHON.
#
# Cost (H200, 16 cores, 2026-11-19): four collectors play 177,000 decisions a second, 72,000 of them open; the start
# takes 30 s; sums over 15 million open decisions 50 s and judging 36 candidates 70 s, compiling included; a match of
# 20,000 games in one process takes more than 120 s.
. scripts/gpu/common.sh
TOTAL=${1:-590}
FOLDER=$WORK/improve
EVIDENCE=${EVIDENCE:-/dev/shm/evidence}
WORDS=$(settings network=${NETWORK:-} values=${VALUES:-package} ${EXTRA:-})
mkdir -p "$FOLDER" "$EVIDENCE"
share_gpu
PLAY=$(( TOTAL - ${MATCH_SECONDS:-150} - 15 ))

for seed in $(seq 0 $(( ${PROCESSES:-4} - 1 ))); do
  $PYTHON scripts/improve_policy.py collect "$EVIDENCE" --follow --seconds $PLAY --seed $seed --threads ${THREADS:-8} $WORDS > "$FOLDER/collect-$seed.log" 2>&1 &
done
$PYTHON scripts/improve_policy.py iterate "$EVIDENCE" --seconds $PLAY --enough ${ENOUGH:-5000000} $WORDS > "$FOLDER/iterate.log" 2>&1 &
wait
grep generation "$FOLDER/iterate.log"
cp "$EVIDENCE"/policy-* "$EVIDENCE"/layer-* "$EVIDENCE/progress.jsonl" "$FOLDER/" 2>/dev/null
NEWEST=$(ls "$FOLDER"/policy-*.npz 2>/dev/null | tail -n 1)
tail -qn 1 "$FOLDER"/collect-*.log
echo "played after $(elapsed) s; newest: $NEWEST"

if [ -n "$NEWEST" ] && [ "${MATCH:-20000}" -gt 0 ]; then
  for part in $(seq 1 ${MATCHES:-4}); do
    $PYTHON scripts/measure_selfplay.py "$NEWEST" ${NETWORK:+--against $NETWORK} --values ${VALUES:-package} --games $(( ${MATCH:-20000} / ${MATCHES:-4} )) \
      --rules ${GAMES:-south} --seed $(( ${SEED:-5001} + part )) --out "$FOLDER/match-$part.json" --threads ${THREADS:-8} > "$FOLDER/match-$part.log" 2>&1 &
  done
  while [ -n "$(jobs -r)" ]; do
    sleep 1
    [ $(elapsed) -gt $(( TOTAL - 10 )) ] && { echo "matches were cut off"; break; }
  done
  grep -h games "$FOLDER"/match-*.log
fi
# bring back the three newest policies, and the figures of all
ls "$FOLDER"/policy-*.npz | head -n -3 | xargs -r rm
tar czf "$OUT/improve.tar.gz" -C "$FOLDER" .
echo "done after $(elapsed) s"
