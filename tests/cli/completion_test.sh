#!/bin/bash
# SPDX-License-Identifier: MIT
# What shells complete: everything that `clampler --help` names, settings with their values, presets.
#
#     completion_test.sh CLAMPLER BUILD_FOLDER
#
# bash and fish are asked; zsh reads its file. A shell that the machine lacks is passed over, and that is said.
set -u

clampler=$1 folder=$2/cli/completion
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# complete_bash WORD...: the replies where the last word is being typed, as bash parts words.
complete_bash() {
    COMP_WORDS=(clampler "$@")
    COMP_CWORD=$#
    COMPREPLY=()
    _clampler
    printf '%s\n' "${COMPREPLY[@]}"
}

# expect SHELL REPLIES WORD...: the replies are these, in any order; `has`: they contain this one.
expect() {
    local shell=$1 wanted=$2 got
    shift 2
    got=$("complete_$shell" "$@" | sort | tr '\n' ';')
    wanted=$(printf '%s\n' "${wanted//;/$'\n'}" | sort | tr '\n' ';')
    if [[ $got != "$wanted" ]]; then
        echo "FAILED: $shell, clampler $*: $got, not $wanted"
        failed=1
    fi
}
has() {
    local shell=$1 wanted=$2
    shift 2
    "complete_$shell" "$@" | grep -qxF -- "$wanted" || {
        echo "FAILED: $shell, clampler $*: no $wanted in $("complete_$shell" "$@" | tr '\n' ';')"
        failed=1
    }
}

# shellcheck source=/dev/null
. "$folder/clampler.bash"
compopt() { :; } # works only while bash completes

commands=$("$clampler" --help | sed -n 's/^    clampler \([a-z]*\) .*/\1/p' | sort -u | tr '\n' ' ')
[[ $commands == "caps doctor rewrite run " ]] || { echo "FAILED: the commands are $commands"; failed=1; }
for command in $commands; do
    has bash "$command" ""
    # The lines of the command, up to the next one.
    for option in $("$clampler" --help | awk -v c="$command" '/^    clampler /{on = $2 == c} on' | grep -oE '(^|[[ ])--?[a-z][a-z-]*' |
        tr -d '[ ' | sort -u); do
        has bash "$option" "$command" -
    done
done
expect bash "doctor" do
expect bash "--loader;--program" doctor --
expect bash "gpu;cpu" rewrite --form ""
expect bash "gl_clamp=" run --set gl
expect bash "edge;border" run --set gl_clamp =
expect bash "edge" run --set gl_clamp = ed
expect bash "edge,border" run --set gl_clamp = edge,b
expect bash "gl_clamp=edge" run --set gl_clamp=ed # where = parts no words
expect bash "ahead;lazy;eager" run --set form = gpu --set tiers =
expect bash "true;false" run --set validate_rewrites =
expect bash "" run --set fault = n
expect bash "Old-game\\ compatibility" run --preset old
expect bash "Off;Everything\\ a\\ sampler\\ needs;GL\\ defaults;Everything\\ emulated\\ \\(debug\\);Old-game\\ compatibility" run --preset ""
expect bash "above;below" run --validation ""
has bash true run --validation above tru
has bash true run tru
has bash true run --set form = gpu -- tru
has bash true run --preset Off tru
has bash true doctor --program tru

if command -v fish >/dev/null; then
    complete_fish() {
        local words=$1
        shift
        for word; do words="$words $word"; done
        env HOME="$work" fish --no-config -c "source '$folder/clampler.fish'; complete -C 'clampler $words'" 2>/dev/null | cut -f 1
    }
    for command in $commands; do has fish "$command" ""; done
    has fish --program doctor --p
    has fish --preset run --
    has fish gl_clamp=edge run --set gl_cl
    has fish "Old-game compatibility" run --preset ""
    has fish gpu rewrite --form ""
else
    echo "passed over: no fish"
fi
if command -v zsh >/dev/null; then
    zsh -n "$folder/_clampler" || { echo "FAILED: zsh cannot read its file"; failed=1; }
else
    echo "passed over: no zsh"
fi
exit $failed
