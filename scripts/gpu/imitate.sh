#!/usr/bin/env bash
# Imitation with teachers: a wide network of another seed, then a student of it and of the package's network, which
# starts from the latter.
#
#   setsid nohup bash scripts/gpu/imitate.sh > imitate.log 2>&1 &     # continues after the shell ends
#
# Variables: HANDS (data/carry/all.hands), TEACHER and STUDENT (settings of each), TEACHING (weight of the teachers),
# OPTIONS (of train_imitation.py), WORK, PYTHON.
# Files: $WORK/imitate/teacher and $WORK/imitate/student, runs of `janshi train imitate`. Run it again to continue.
# $WORK/imitate/done appears at the end.
set -e
. scripts/gpu/common.sh
RUNS=$WORK/imitate
mkdir -p "$RUNS"
learn() {  # name, settings
  $PYTHON scripts/train_imitation.py "${HANDS:-data/carry/all.hands}" "$RUNS/$1" --test-packs ${TESTED:-houou-2022} $(settings $2) ${OPTIONS:-}
}
learn teacher "${TEACHER:-steps=6000 seed=1 width=288 heads=9 hidden=768 dropout=0.15}"
cp src/janshi/models/weights/apprentice-riichi.npz "$RUNS/package.npz"
learn student "teachers=$RUNS/package.npz,$RUNS/teacher/network.npz start=$RUNS/package.npz teaching=${TEACHING:-0.6} \
  ${STUDENT:-steps=6000 seed=2 dropout=0.05 rate=0.0015 warmup=200 hidden_weight=0.2}"
touch "$RUNS/done"
