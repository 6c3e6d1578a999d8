#!/bin/sh
# SPDX-License-Identifier: MIT
# What is generated from the registry is the same in every run, whatever order Python's sets have.
#
#     generate_test.sh PYTHON SCRIPT REGISTRY...
set -eu

python=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for seed in 1 2; do
    mkdir "$work/$seed"
    script=$1
    (shift && PYTHONHASHSEED=$seed "$python" "$script" "$work/$seed" "$@")
done
diff -r "$work/1" "$work/2"
