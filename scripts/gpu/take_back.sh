#!/usr/bin/env bash
# After a piece: bash scripts/gpu/take_back.sh simplified|guobiao FOLDER   (the folder with the packed files).
# Unpacks into data/back/NAME, marks finished runs as sent, and writes data/carry/*.tar.gz for the next piece.
set -eu
NAME=$1; FROM=$2
mkdir -p data/carry data/back
cat "$FROM"/$NAME.tar.gz.* | tar xz -C data/back
cd data/back
[ -d cache ] && tar czf ../carry/cache.tar.gz cache
find $NAME -name finished.json -execdir touch sent \;
if [ "$NAME" = simplified ]; then
  find simplified \( -name finished.json -o -name sent \) > ../list
  find simplified -name light.pt | while read -r f; do [ -f "$(dirname "$f")/finished.json" ] || { echo "$f"; echo "$(dirname "$f")/curves.jsonl"; }; done >> ../list
else
  find guobiao \( -name pieces.json -o -name '*.npy' -o -name curves.jsonl \) > ../list
  find guobiao -name light.pt | sort | tail -1 >> ../list
  find guobiao -name policy.npz | sort | tail -1 >> ../list
fi
tar czf ../carry/$NAME.tar.gz -T ../list
mkdir -p ../runs && ln -sfn ../back/simplified/runs ../runs/simplified
du -sh ../carry/*
