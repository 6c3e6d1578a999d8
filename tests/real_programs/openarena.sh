#!/bin/sh
# SPDX-License-Identifier: MIT
# openarena.sh FOLDER RENDERER: draws one still view of OpenArena's map oa_ctf2 by the engine Quake3e, and ends by itself.
#
#   FOLDER             where the game keeps its files; the picture is FOLDER/view.png
#   RENDERER           vulkan, or opengl: the renderer that the other was ported from
#
# The data and the game's code are those of Debian's packages openarena and openarena-088-data, whose code is machine code for
# any engine of this kind. Nothing moves: there are no other players, and time goes in even steps.
set -eu
folder=$1 renderer=$2
data=/usr/share/games/openarena/baseoa code=/usr/lib/openarena/baseoa

mkdir -p "$folder/base/baseoa" "$folder/home/baseoa"
ln -sf $data/*.pk3 "$folder/base/baseoa/"
cp "$code"/*.so "$folder/base/baseoa/"
cat >"$folder/home/baseoa/view.cfg" <<CFG
wait 20
noclip
setviewpos 0 0 600 45
+lookup
wait 8
-lookup
wait 10
screenshot view
wait 3
quit
CFG
rm -f "$folder/home/baseoa/screenshots/view.tga"
set -- quake3e.x64
for setting in "fs_basepath $folder/base" "fs_homepath $folder/home" "com_basegame baseoa" "fs_basegame baseoa" \
    "fs_game baseoa" "sv_pure 0" "vm_game 0" "vm_cgame 0" "vm_ui 0" "s_initsound 0" "cl_renderer $renderer" \
    "r_fullscreen 0" "r_mode -1" "r_customwidth 640" "r_customheight 480" "com_introplayed 1" "fixedtime 50" \
    "cg_draw2D 0" "cg_drawGun 0" "bot_enable 0"; do
    # shellcheck disable=SC2086
    set -- "$@" +set $setting
done
"$@" +devmap oa_ctf2 +exec view.cfg
convert "$folder/home/baseoa/screenshots/view.tga" -flip "PNG24:$folder/view.png"
