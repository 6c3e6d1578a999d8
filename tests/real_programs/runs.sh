# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# How scripts/suites/real-programs runs a program in one of the ways, takes its picture and judges it.

# Settings of the validation layer: every error into a file, also where the program takes messages itself.
settings() {
    mkdir -p "$out/settings"
    rm -f "$1"
    cat >"$out/settings/vk_layer_settings.txt" <<SETTINGS
khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
khronos_validation.report_flags = error
khronos_validation.log_filename = $1
khronos_validation.enable_message_limit = false
SETTINGS
    export VK_LAYER_SETTINGS_PATH="$out/settings"
}

# The identifiers of what the validation layer said, one a line. It makes the file when it reads its settings, with nothing to
# say as well (check_run).
said() {
    [ ! -f "$1" ] || grep -oE 'VUID-[A-Za-z0-9_-]+|UNASSIGNED-[A-Za-z0-9_-]+|SYNC-[A-Z-]+' "$1" | sort -u
}

# may_say NAME ID...: validation says this of the program alone, but not in every run.
may_say() {
    name=$1
    shift
    printf '%s\n' "$@" >"$out/$name.sometimes"
}

# lack LOG: below validation the next program's driver lacks what samplers need; uses of that go to LOG. Loaders before 1.3.247
# order layers as their folders are.
lack() {
    rm -f "$1"
    export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation:VK_LAYER_CLAMPLER_TEST_limited_driver
    export VK_LAYER_PATH="/usr/share/vulkan/explicit_layer.d:$build/tests/limited_driver"
    export LIMITED_DRIVER_PROFILE=bare-samplers LIMITED_DRIVER_LOG="$1"
}

# start NAME KIND COMMAND...: the program in the background, in one of the ways.
start() {
    name=$1 kind=$2
    shift 2
    settings "$out/$name.$kind.validation"
    rm -f "$out/$name.$kind.stats"
    export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
    case $kind in
    bare | offered) lack "$out/$name.$kind.violations" ;;
    esac
    case $kind in
    without | control | bare) ;;
    with) set -- "$clampler" run --set log_level=info --set stats_file="$out/$name.$kind.stats" -- "$@" ;;
    active) set -- "$clampler" run --set log_level=debug --set stats_file="$out/$name.$kind.stats" \
        --set force_active=true -- "$@" ;;
    emulated) set -- "$clampler" run --preset "Everything emulated (debug)" \
        --set stats_file="$out/$name.$kind.stats" -- "$@" ;;
    gl_clamp) set -- "$clampler" run --set log_level=debug --set stats_file="$out/$name.$kind.stats" \
        --set gl_clamp=edge,border -- "$@" ;;
    offered) set -- "$clampler" run --set log_level=debug --set stats_file="$out/$name.$kind.stats" \
        --set offer=missing -- "$@" ;;
    esac
    "$@" >"$out/$name.$kind.log" 2>&1 &
    program=$!
    unset VK_INSTANCE_LAYERS VK_LAYER_PATH LIMITED_DRIVER_PROFILE LIMITED_DRIVER_LOG
}

# picture FILE SECONDS ALLOWED [LIKE]: the screen once it looks LIKE that one, or without one has been at rest for a
# while, or after that time. ALLOWED pixels may move meanwhile.
picture() {
    file=$1 left=$2 moving=$3 like=${4:-} still=0
    rm -f "$file"
    while [ "$left" -gt 0 ]; do
        sleep 2
        left=$((left - 2))
        import -silent -window root "$file.next.png" || continue
        if [ "$(identify -format %k "$file.next.png")" -le 1 ]; then
            still=0
        elif [ -n "$like" ]; then
            [ "$(differing "$like" "$file.next.png")" -gt "$moving" ] || left=0
        elif [ -f "$file" ] && [ "$(differing "$file" "$file.next.png")" -le "$moving" ]; then
            still=$((still + 1))
            [ $still -lt 4 ] || left=0
        else
            still=0
        fi
        mv "$file.next.png" "$file"
    done
}

# differing PICTURE PICTURE [EDGES]: how many pixels differ by more than two hundredths in a channel, in black places of
# EDGES only if there are such; four where the shader filters, with weights finer than the driver's 8 bits, which
# conversions of colours double.
differing() {
    fuzz=2
    [ "${kind:-}" != emulated ] || fuzz=4
    sizes=$(identify -format '%wx%h\n' "$1" "$2" 2>/dev/null | sort -u | wc -l)
    [ -f "$1" ] && [ -f "$2" ] && [ "$sizes" = 1 ] || {
        echo 99999999
        return
    }
    edges=
    [ -z "${3:-}" ] || edges="( $3 -negate ) -compose Multiply -composite"
    # shellcheck disable=SC2086
    convert "$1" "$2" -alpha off -compose Difference -composite -separate -evaluate-sequence Max -threshold $fuzz% \
        $edges -format '%[fx:round(mean*w*h)]' info:
}

stop() {
    kill $program 2>/dev/null || true
    for again in 1 2 3 4 5; do
        kill -0 $program 2>/dev/null || break
        sleep 1
        [ $again != 4 ] || kill -9 $program 2>/dev/null || true
    done
    wait $program 2>/dev/null || true
}

# ended SECONDS: waits for the program to end by itself; after that time it is stopped, and the status is 1.
ended() {
    left=$1
    while [ "$left" -gt 0 ]; do
        kill -0 $program 2>/dev/null || {
            wait $program && return 0
            return 1
        }
        sleep 1
        left=$((left - 1))
    done
    stop
    return 1
}

# stopped SECONDS: the program's window when nothing moves any more, or looks as without the layer; then it is stopped.
stopped() {
    like=
    case $kind in
    without | bare) ;;
    *) like=$out/$name.without.png ;;
    esac
    picture "$taken" "$1" 0 "$like"
    stop
    [ -s "$taken" ]
}

passed=0 failed=0 skipped=0
rows=
row() {
    verdict=$1 name=$2 kind=$3 text=$4 picture=$5
    case $verdict in
    ok) passed=$((passed + 1)) ;;
    skipped) skipped=$((skipped + 1)) ;;
    *) failed=$((failed + 1)) ;;
    esac
    printf '%-7s %-22s %-9s %s\n' "$verdict" "$name" "$kind" "$text"
    image=
    [ -z "$picture" ] || image="<a href=\"$picture\"><img src=\"$picture\" width=\"320\"></a>"
    rows="$rows<tr class=\"$verdict\"><td>$verdict<td>$name<td>$kind<td>$text<td>$image</tr>
"
}

# What the layer counted in all devices of the program that ended as they should.
counted() {
    [ -s "$1" ] || {
        # The log has each pipeline that the layer compiled.
        printf 'no counters, as no device was destroyed; pipelines compiled for tiers 1 and 2: %d %d' \
            "$(grep -c 'clampler: info: compiled tier 1' "${1%.stats}.log")" \
            "$(grep -c 'clampler: info: compiled tier 2' "${1%.stats}.log")"
        grep -q 'were created after it was recorded' "${1%.stats}.log" && echo ", some outgrown submits" ||
            echo ", no outgrown submit"
        return
    }
    awk '{
        match($0, /"draws": \[[0-9, ]*/); split(substr($0, RSTART + 10), d, ", ")
        match($0, /"pipelines": \[[0-9, ]*/); split(substr($0, RSTART + 14), p, ", ")
        match($0, /"outgrown_submits": [0-9]*/); o += substr($0, RSTART + 20)
        for (i = 1; i <= 3; i++) { draws[i] += d[i]; pipelines[i] += p[i] }
    } END {
        printf "draws by tier %d %d %d, pipelines %d %d %d, outgrown submits %d", draws[1], draws[2], draws[3],
            pipelines[1], pipelines[2], pipelines[3], o
    }' "$1"
}

# emulates NAME KIND: were draws recorded, or pipelines compiled, for tiers that emulate?
emulates() {
    if [ -s "$out/$1.$2.stats" ]; then
        ! counted "$out/$1.$2.stats" | grep -q 'draws by tier [0-9]* 0 0,'
    else
        grep -q 'clampler: info: compiled tier [12]' "$out/$1.$2.log"
    fi
}

# looks_up NAME: did a sampler and a view meet in any descriptor, or is that not known?
looks_up() {
    [ ! -s "$out/$1.emulated.stats" ] || grep -q '"pair_hits": .[0, ]*[1-9]' "$out/$1.emulated.stats"
}
untextured=" glxgears " # ended from outside, these leave no counters

# Says of one run whether the layer was there, and that validation found nothing that is not the program's own.
check_run() {
    name=$1 kind=$2
    {
        said "$out/$name.without.validation"
        said "$out/$name.control.validation"
        [ ! -f "$out/$name.sometimes" ] || cat "$out/$name.sometimes"
    } | sort -u >"$out/own"
    said "$out/$name.$kind.validation" >"$out/new"
    new=$(comm -13 "$out/own" "$out/new" | tr '\n' ' ')
    own=$(wc -l <"$out/own")
    note="validation: $own kinds of messages of the program's own, ${new:-none} more"
    verdict=ok
    [ -e "$out/$name.$kind.validation" ] || {
        verdict=FAILED note="the validation layer was not there, or did not read its settings"
    }
    [ -z "$new" ] || verdict=FAILED
    frames=$(sed -n 's/.*frames: \([0-9]*\).*/\1/p' "$out/$name.$kind.log" | tail -n 1)
    [ -z "$frames" ] || note="$frames frames; $note"
    [ -z "${took:-}" ] || note="$took s; $note"
    if [ "$kind" = without ]; then
        [ -z "${version:-}" ] || note="$version; $note"
    else
        mode=$(sed -n 's/.*clampler: info: version.*: \(inert\|active[^,]*\), .*/\1/p' "$out/$name.$kind.log" | sort -u | tr '\n' ' ')
        note="$note; the layer: ${mode:-not there}"
        case $kind:$mode in
        with:*inert*) ;;
        active:*active* | emulated:*active* | gl_clamp:*active* | offered:*active*) note="$note; $(counted "$out/$name.$kind.stats")" ;;
        *) verdict=FAILED ;;
        esac
        ! grep -q 'clampler: \(error\|warn\)' "$out/$name.$kind.log" || {
            note="$note; $(grep -m 1 'clampler: \(error\|warn\)' "$out/$name.$kind.log" | cut -c 1-200)"
        }
        ! grep -q 'the tier of this pipeline was fixed' "$out/$name.$kind.log" || verdict=FAILED
        case $kind:$untextured in
        emulated:*" $name "*) ;;
        emulated:*) ! looks_up "$name" || emulates "$name" $kind || verdict=FAILED note="$note; nothing was emulated" ;;
        offered:*) emulates "$name" $kind || verdict=FAILED note="$note; nothing was emulated" ;;
        esac
        [ ! -s "$out/$name.$kind.violations" ] || {
            verdict=FAILED note="$note; uses what the driver lacks: $(head -n 1 "$out/$name.$kind.violations")"
        }
    fi
}

# compared NAME KIND ALLOWED: the picture of this run is that without the layer.
compared() {
    name=$1 kind=$2 allowed=$3
    check_run "$name" "$kind"
    colors=$(identify -format %k "$out/$name.$kind.png" 2>/dev/null || echo 0)
    [ "$colors" -gt 1 ] || verdict=FAILED note="nothing to be seen; $note"
    pixels=$(differing "$out/$name.without.png" "$out/$name.$kind.png")
    [ "$pixels" -le "$allowed" ] || verdict=FAILED
    row $verdict "$name" "$kind" "$pixels pixels differ (allowed: $allowed), $colors colours; $note" "$name.$kind.png"
}

# at_edges NAME LEAST: the picture under gl_clamp is that without the layer but for the white places of NAME.edges.png,
# and in those LEAST pixels or more differ: there texture edges show.
at_edges() {
    name=$1 least=$2 kind=gl_clamp
    check_run "$name" gl_clamp
    size=$(identify -format '%w*%h' "$out/$name.without.png")
    pixels=$(differing "$out/$name.without.png" "$out/$name.gl_clamp.png")
    elsewhere=$(differing "$out/$name.without.png" "$out/$name.gl_clamp.png" "$out/$name.edges.png")
    share=$(awk "BEGIN { printf \"%.2f\", 100 * $pixels / ($size) }")
    [ "$elsewhere" = 0 ] && [ "$pixels" -ge "$least" ] || verdict=FAILED
    convert "$out/$name.without.png" "$out/$name.gl_clamp.png" "$out/$name.edges.png" -append "$out/$name.compared.png"
    row $verdict "$name" gl_clamp \
        "$pixels pixels differ ($share %; wanted: $least or more), $elsewhere of them where no texture edge shows; $note" \
        "$name.compared.png"
}

# lacking NAME SECONDS LEAST HOW COMMAND...: on a driver that lacks what samplers need LEAST pixels or more differ, and with the
# setting offer none. HOW is as for every_way.
lacking() {
    name=$1 seconds=$2 least=$3 how=$4
    shift 4
    for kind in without bare offered; do
        taken=$out/$name.$kind.png
        rm -f "$taken"
        start "$name" $kind "$@"
        done=true
        $how "$seconds" || done=false
        if [ $kind = without ] && { ! $done || [ ! -s "$taken" ]; }; then
            row skipped "$name" - "does not run without the layer either: $(tail -n 1 "$out/$name.without.log" | cut -c 1-200)" ""
            return
        fi
        case $kind in
        without) compared "$name" without 0 ;;
        bare)
            pixels=$(differing "$out/$name.without.png" "$taken")
            verdict=ok note="$pixels pixels differ where the driver lacks what samplers need (wanted: $least or more)"
            $done || note="does not run where the driver lacks what samplers need: $(tail -n 1 "$out/$name.bare.log" | cut -c 1-200)"
            [ "$pixels" -ge "$least" ] || verdict=FAILED
            row $verdict "$name" bare "$note" "$name.bare.png"
            ;;
        offered)
            $done || echo "clampler: error: the program did not come to its end" >>"$out/$name.offered.log"
            compared "$name" offered 0
            ;;
        esac
    done
}

# window NAME SECONDS ALLOWED COMMAND...: same picture in all ways; ALLOWED pixels may differ where something moves.
window() {
    name=$1 seconds=$2 allowed=$3
    shift 3
    for kind in without with active emulated; do
        start "$name" $kind "$@"
        like=
        [ $kind = without ] || like=$out/$name.without.png
        picture "$out/$name.$kind.png" "$seconds" "$allowed" "$like"
        stop
        compared "$name" $kind "$allowed"
    done
}

# The program again with gl_clamp: another picture, and rewritten shaders that drew it.
clamped() {
    name=$1 seconds=$2
    shift 2
    start "$name" gl_clamp "$@"
    picture "$out/$name.gl_clamp.png" "$seconds" 0
    stop
    check_run "$name" gl_clamp
    pixels=$(differing "$out/$name.without.png" "$out/$name.gl_clamp.png")
    [ "$pixels" -gt 1000 ] || verdict=FAILED
    row $verdict "$name" gl_clamp "$pixels pixels differ (wanted: many); $note" "$name.gl_clamp.png"
}

# scene NAME SECONDS COMMAND...: what moves too much to be compared, after that time, active: a picture to look at.
scene() {
    name=$1 seconds=$2
    shift 2
    rm -f "$out/$name.without.validation"
    start "$name" active "$@"
    sleep "$seconds"
    import -silent -window root "$out/$name.active.png"
    stop
    check_run "$name" active
    colors=$(identify -format %k "$out/$name.active.png")
    [ "$colors" -gt 5000 ] || verdict=FAILED
    row $verdict "$name" active "$colors colours; $note" "$name.active.png"
}

# batch NAME PATTERN COMMAND...: no window of its own to look at; its output must be the same and have the pattern, and it must
# end with the same status.
batch() {
    name=$1 pattern=$2
    shift 2
    for kind in without with active emulated; do
        rm -f "$out/$name.result"
        start "$name" $kind "$@"
        ended_with=0
        wait $program || ended_with=$?
        [ $kind != without ] || ends_with=$ended_with
        check_run "$name" $kind
        [ $ended_with = "$ends_with" ] || verdict=FAILED note="status $ended_with, without the layer $ends_with; $note"
        [ ! -f "$out/$name.result" ] || cat "$out/$name.result" >>"$out/$name.$kind.log"
        result=$(grep -oE "$pattern" "$out/$name.$kind.log" | tail -n 1)
        [ $kind != without ] || expected=$result
        [ -n "$result" ] && [ "$result" = "$expected" ] || verdict=FAILED
        row $verdict "$name" $kind "${result:-nothing} (without the layer: $expected); $note" ""
    done
}

# asked NAME PROGRAM [PACKAGE]: is it to be run, and is its program there? The version of the package is shown then.
asked() {
    version=
    case $wanted in
    "  " | *" $1 "*) ;;
    *) return 1 ;;
    esac
    command -v "$2" >/dev/null || {
        row "${absent:-FAILED}" "$1" - "$2 is not installed" ""
        return 1
    }
    [ -z "${3:-}" ] || version=$(dpkg-query -W -f '${Package} ${Version}' "$3" 2>/dev/null) || {
        row "${absent:-FAILED}" "$1" - "the package $3 is not installed" ""
        return 1
    }
}

# without_heaps VARIABLE=VALUE...: for the next program. The layer hides descriptor heaps and descriptor buffers, of which
# the validation layer can see less than of sets: what it says of the program without the layer where these variables make
# it use sets is the program's own, too.
without_heaps() {
    control=$*
}
control=

# every_way NAME SECONDS LEAST HOW COMMAND...: all ways, gl_clamp too. HOW takes the picture into $taken: a function that
# is given the SECONDS; its status is 1 if the program did not do what it should.
every_way() {
    name=$1 seconds=$2 least=$3 how=$4
    shift 4
    if [ -n "$control" ]; then
        kind=control taken=$out/$name.control.png
        start "$name" control env "$control" "$@"
        $how "$seconds" || true
        control=
    fi
    for kind in without with active emulated gl_clamp; do
        taken=$out/$name.$kind.png
        rm -f "$taken"
        started=$(date +%s)
        start "$name" $kind "$@"
        done=true
        $how "$seconds" || done=false
        took=$(($(date +%s) - started))
        if [ $kind = without ] && { ! $done || [ ! -s "$taken" ]; }; then
            row skipped "$name" - "does not run without the layer either: $(tail -n 1 "$out/$name.without.log" | cut -c 1-200)" ""
            return
        fi
        # An end by itself that a crash or a time limit took.
        $done || echo "clampler: error: the program did not come to its end in $took s" >>"$out/$name.$kind.log"
        if [ $kind = gl_clamp ]; then
            at_edges "$name" "$least"
        else
            compared "$name" $kind 0
        fi
    done
}
