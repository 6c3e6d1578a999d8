#!/bin/sh
# SPDX-License-Identifier: MIT
# game.sh ZINK PRELOAD: runs Debian's Neverball by what examples/zink/install put into the folder ZINK, until PRELOAD, made of
# end_frames.c, ends it. The status is 0 if all frames were drawn: this game crashes as it quits, without the layer as well.
out=$(mktemp)
status=0
LD_PRELOAD=$2 SDL_AUDIODRIVER=dummy "$1/zink" neverball >"$out" 2>&1 || status=$?
grep -v '^GL extensions' "$out"
! grep -q '^frames: ' "$out" || status=0
rm -f "$out"
exit $status
