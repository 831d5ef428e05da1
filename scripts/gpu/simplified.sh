#!/usr/bin/env bash
# The paper's comparison in the simplified game, in pieces; give the same command again to continue.
#
#   bash scripts/gpu/simplified.sh 540        # seconds of the whole piece, unpacking and packing included
#
# Variables: DECISIONS (60e6), SEEDS (8), VARIANTS (the seven; rl5a may be added), GLOBAL (empty: without RL-global),
# THREADS (4), OUT (where results are packed), WORK (/tmp/janshi), PYTHON, EXTRA (settings).
#
# Cost model (H200, 16 cores):
#   host  0.21 us of a core a decision (basic), 0.26 (rl1, rl2, rl3), 6 to 12 (rl5: prospects, 17 us a draw of good
#         players); 8 x 250,000/s need 0.5 + 3 cores: the host is no limit, and 4 threads a process
#         are plenty. Python takes about 0.3 ms for a half step of 2,048 tables.
#   GPU   109 MFLOP a decision (play 13.3, value 13.9, learning 3 x 27.2). Four runs reached 1.6 million/s before (174
#         TFLOP/s); seven under MPS with cuDNN's own choice of kernels: 1.8 to 2.3 million/s expected in total.
#   start imports 5 s, kernels 8 s on one core (three processes compile them while the runs start), torch.compile
#         25 to 40 s; with data/carry/cache.tar.gz of an earlier piece about 10 s in all.
#   a final measurement on 20,000 walls: 15 s of CPU over 4 threads, about 6 s.
# So a piece of 540 s trains for about 430 s: 0.8 to 1.0 billion decisions, 13 to 16 of the 56 runs (2 seeds of all).
# All 56 runs (3.4 billion) take 4 such pieces. Seeds are trained in order, so each piece completes seeds of all variants.
COMPILERS=${COMPILERS:-2}
. scripts/gpu/common.sh
TOTAL=${1:-540}
mkdir -p "$WORK/simplified"
if [ ! -e "$WORK/simplified/going" ]; then
  for part in data/carry/cache.tar.gz data/carry/simplified.tar.gz; do
    [ -f "$part" ] && tar xzf "$part" -C "$WORK"
  done
  touch "$WORK/simplified/going"
fi
share_gpu
$PYTHON scripts/gpu/warm_kernels.py simplified &  # while the runs start
LEFT=$(( TOTAL - 35 - $(elapsed) ))
train() {  # variants, seeds
  $PYTHON scripts/train_rvr.py --rules simplified --variants $1 --seeds $2 \
    --decisions ${DECISIONS:-60e6} --seconds $LEFT --measurements 6 --walls ${WALLS:-500} --final-walls ${FINAL_WALLS:-20000} \
    --threads ${THREADS:-4} --search-threads 4 --save 0 --out "$WORK/simplified/runs" \
    --set rate=1e-3 final_rate=3e-5 entropy=0.003 tables=4096 rollout=65536 batch=4096 ${EXTRA:-}
}
train "${GLOBAL-global}" 1 &  # one seed, for the variance of values (eq. 3)
train "${VARIANTS:-basic rl1 rl2 rl2p rl3 rl3p rl5}" ${SEEDS:-8} &
MAIN=$!
while kill -0 $MAIN 2>/dev/null; do
  sleep 5
  [ $(elapsed) -gt $(( TOTAL - 12 )) ] && { echo "no time left: training was stopped"; break; }
done
$PYTHON scripts/gpu/pack.py "$WORK" simplified "$OUT"
for log in "$WORK"/simplified/runs/*.log; do echo "== $log"; tail -n 4 "$log"; done
echo "done after $(elapsed) s"
