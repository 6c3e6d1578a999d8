#!/bin/sh
# SPDX-License-Identifier: MIT
# game.sh ZINK PRELOAD: runs Debian's Neverball by what examples/zink/install put into the folder ZINK, until PRELOAD, made of
# end_frames.c, ends it. The status is 0 if all frames were drawn. Behind them Mesa's zink crashes or hangs as it closes the
# display, without the layer as well: it has five seconds.
out=$(mktemp)
status=0
LD_PRELOAD=$2 SDL_AUDIODRIVER=dummy "$1/zink" neverball >"$out" 2>&1 &
game=$!
while kill -0 $game 2>/dev/null && ! grep -q '^frames: ' "$out"; do sleep 0.5; done
for _ in 1 2 3 4 5; do
    ! kill -0 $game 2>/dev/null || sleep 1
done
kill -9 $game 2>/dev/null
wait $game || status=$?
grep -v '^GL extensions' "$out"
! grep -q '^frames: ' "$out" || status=0
rm -f "$out"
exit $status
