#!/usr/bin/env bash
# Guobiao by RL-5 with duplicates from the shipped policy, in pieces; give the same command again to continue.
#
#   bash scripts/gpu/guobiao.sh 560 500       # seconds of the whole piece, walls of the measurement at its end
#   bash scripts/gpu/guobiao.sh 560 5000      # the last piece: 20,000 hands of the new policy, the mean and the start
#
# Variables: DECISIONS (2e8: when the rate reaches its end), EXTRA (settings), OUT, WORK, PYTHON.
#
# Cost model (H200, 16 cores):
#   host  41 us of a core a decision (plans 16, prospects 24, stepping 0.5): 14 threads reach at most 340,000/s by this
#         figure, 200,000 to 250,000/s expected. The host is the limit.
#   GPU   1.07 GFLOP a decision (play 153 x 2 for the past selves, value 75, learning 3 x 228): 250 TFLOP/s give 230,000/s.
#   start imports 8 s, kernels 15 to 30 s (three processes), torch.compile 40 s, included in the seconds of training.
#   a measurement: 1,600 hands of 400 walls take 5 s of 16 cores for each of three policies.
# So a piece of 560 s with 500 walls trains for about 470 s: 85 to 105 million decisions.
#
# Why these settings: for this policy, 262,144 decisions of rl5d have a cosine of 0.10 with the reference (docs/gradients.md),
# 16,384 have 0.026. After n steps of Adam at a small rate the drift is 0.026 n and the noise sqrt(n) steps: 6,000 steps
# (100 million decisions) point within 30 degrees of the gradient. A step moves a weight (about 0.04) by at most the rate,
# so at a rate of 4e-5 it drifts by 3e-3, a twelfth of a weight; at 1e-4 it would be a fifth. Where the gradient is nearly
# all noise, an entropy bonus would be the strongest force, so it is 0.
COMPILERS=${COMPILERS:-8}
. scripts/gpu/common.sh
TOTAL=${1:-560}; WALLS=${2:-500}
mkdir -p "$WORK/guobiao"
if [ ! -e "$WORK/guobiao/going" ]; then
  for part in data/carry/cache.tar.gz data/carry/guobiao.tar.gz; do
    [ -f "$part" ] && tar xzf "$part" -C "$WORK"
  done
  touch "$WORK/guobiao/going"
fi
$PYTHON scripts/gpu/warm_kernels.py ${RULES:-guobiao}
LEFT=$(( TOTAL - $(elapsed) - ${SPARE:-40} - (WALLS * 4 * 3 * 25 / 10000) ))
echo "training for $LEFT s"
$PYTHON scripts/train_guobiao.py --rules ${RULES:-guobiao} --out "$WORK/guobiao/run" --seconds $LEFT --decisions ${DECISIONS:-2e8} --walls $WALLS --averaged 2 \
  --set rollout=524288 batch=16384 epochs=1 rate=4e-5 final_rate=4e-6 value_rate=5e-4 entropy=0 past_share=0.2 threads=14 values_first=6000000 ${EXTRA:-} >> "$WORK/guobiao/train.log" 2>&1 &
MAIN=$!
tail -n 0 -F --pid=$MAIN "$WORK/guobiao/train.log" &
while kill -0 $MAIN 2>/dev/null; do
  sleep 2
  [ $(elapsed) -gt $(( TOTAL - 8 )) ] && { kill $MAIN 2>/dev/null; break; }
done
$PYTHON scripts/gpu/pack.py "$WORK" guobiao "$OUT"
echo "done after $(elapsed) s"
