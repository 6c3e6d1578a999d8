#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""generate_completion.py SETTINGS PRESETS FOLDER: writes what shells complete after `clampler`.

  SETTINGS, PRESETS  json/settings.json and json/presets.json
  FOLDER             gets clampler.bash, _clampler (zsh) and clampler.fish

Settings, their values and presets are those of the lists; commands and options stand here, and tests/cli/completion_test.sh
holds them against `clampler --help`.
"""

import json
import os
import pathlib
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "internal"))
import help_text  # noqa: E402
from generate_settings import leaves  # noqa: E402

FILE, PROGRAM, NOTHING, SETTING, PRESET, NUMBER = "file", "program", "nothing", "setting", "preset", "number"

# What follows an option: one of the above, or the words to choose from.
COMMANDS = {
    "doctor": ("is the layer found, loaded and set as wished", {"--loader": FILE, "--program": PROGRAM}),
    "caps": ("what each format can do", {"--json": NOTHING, "--device": NUMBER, "--compare": FILE}),
    "rewrite": ("rewrite a shader module as the layer would", {
        "-o": FILE, "--explain": NOTHING, "--tier": ["1", "2"], "--form": ["gpu", "cpu"], "--storage": NOTHING,
        "--renumber": NOTHING, "--texel-paths": ["1", "2", "3"], "--validate": NOTHING}),
    "run": ("start a program under the layer", {"--set": SETTING, "--preset": PRESET,
                                                "--validation": ["above", "below"]}),
}
GLOBAL = ["--help", "--version"]
HEAD = "# SPDX-License-Identifier: MIT\n# Written by scripts/generate/generate_completion.py.\n"


def values(setting):
    """Words that a setting may have; "" for paths."""
    kind = setting["type"]
    if kind == "BOOL":
        return ["true", "false"]
    if kind == "LIST":
        return setting["list"]
    return [flag["key"] for flag in setting.get("flags", [])]


def quoted(text):
    """As one word of any of the shells."""
    return "'" + text.replace("'", "'\\''") + "'"


def bash(settings, presets):
    words = "".join("    %s) words='%s' ;;\n" % (key, " ".join(values(setting))) for key, setting in settings.items()
                    if values(setting))
    lists = "|".join(key for key, setting in settings.items() if setting["type"] in ("FLAGS", "LIST"))
    options = "".join("    %s) words='%s' ;;\n" % (name, " ".join(entry[1])) for name, entry in COMMANDS.items())
    after = "".join("    %s) words='%s' ;;\n" % (option, " ".join(what)) for entry in COMMANDS.values()
                    for option, what in entry[1].items() if isinstance(what, list))
    files = "|".join(option for entry in COMMANDS.values() for option, what in entry[1].items() if what == FILE)
    return HEAD.replace("Identifier: MIT\n", "Identifier: MIT\n# shellcheck shell=bash\n") + """
# The values that the setting $1 may have, after what stands before the last comma of $2.
_clampler_values() {
    local words= before=
    case $1 in
%(words)s    *) compopt -o default 2>/dev/null; return ;;
    esac
    case $1 in
    %(lists)s) [[ $2 == *,* ]] && before=${2%%,*},; compopt -o nospace 2>/dev/null ;;
    esac
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "${2##*,}")
}

# The settings that begin with $1, or the values of the one that it names.
_clampler_setting() {
    if [[ $1 == *=* ]]; then
        _clampler_values "${1%%%%=*}" "${1#*=}"
        COMPREPLY=("${COMPREPLY[@]/#/${1%%%%=*}=}")
    else
        compopt -o nospace 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -S = -W '%(keys)s' -- "$1")
    fi
}

_clampler_preset() {
    local preset
    local given=${1//[\\\\\\"\\']/}
    for preset in %(presets)s; do
        [[ ${preset,,} == "${given,,}"* ]] && COMPREPLY+=("$(printf %%q "$preset")")
    done
}

_clampler() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} words= i
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W '%(commands)s' -- "$word")
        return
    fi
    # bash parts KEY=VALUE into three words, unless it was told not to.
    if [[ $before == = && ${COMP_WORDS[COMP_CWORD - 3]} == --set ]]; then
        _clampler_values "${COMP_WORDS[COMP_CWORD - 2]}" "$word"
        return
    elif [[ $word == = && ${COMP_WORDS[COMP_CWORD - 2]} == --set ]]; then
        _clampler_values "$before" ''
        return
    fi
    case $before in
    --set) _clampler_setting "$word"; return ;;
    --preset) _clampler_preset "$word"; return ;;
    --program) mapfile -t COMPREPLY < <(compgen -c -- "$word"); return ;;
    --device) return ;;
    %(files)s) compopt -o default 2>/dev/null; return ;;
%(after)s    esac
    if [[ $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        return
    fi
    if [[ $command == run ]]; then
        # Behind the options stands a program, and behind that its own arguments.
        for ((i = 2; i < COMP_CWORD; i++)); do
            case ${COMP_WORDS[i]} in
            --set) ((i++)); [[ ${COMP_WORDS[i + 1]} == = ]] && ((i += 2)) ;;
            --preset|--validation) ((i++)) ;;
            --) ((i + 1 == COMP_CWORD)) && break; compopt -o default 2>/dev/null; return ;;
            *) compopt -o default 2>/dev/null; return ;;
            esac
        done
        if [[ $word != -* ]]; then
            mapfile -t COMPREPLY < <(compgen -c -- "$word")
            return
        fi
    fi
    case $command in
%(options)s    esac
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    else
        compopt -o default 2>/dev/null
    fi
}

complete -F _clampler clampler
""" % {"words": words, "lists": lists, "options": options, "after": after, "files": files, "keys": " ".join(settings),
       "presets": " ".join(map(quoted, presets)), "commands": " ".join([*COMMANDS, *GLOBAL])}


def zsh(settings, presets):
    def action(what):
        if isinstance(what, list):
            return ":value:(%s)" % " ".join(what)
        return {FILE: ":file:_files", PROGRAM: ":program:_command_names -e", NOTHING: "", NUMBER: ":number:",
                SETTING: ":setting:_clampler_setting", PRESET: ":preset:_clampler_preset"}[what]

    commands = "".join("        %s\n" % quoted("%s:%s" % (name, entry[0])) for name, entry in COMMANDS.items())
    cases = "".join("    %s)\n        _arguments %s %s ;;\n"
                    % (name, " ".join(quoted(("*" if name == "run" else "") + option + action(what))
                                      for option, what in entry[1].items()),
                       "'*::program:_normal'" if name == "run" else "'*:file:_files'") for name, entry in COMMANDS.items())
    words = "".join("    %s) words=(%s) ;;\n" % (key, " ".join(values(setting))) for key, setting in settings.items()
                    if values(setting))
    lists = "|".join(key for key, setting in settings.items() if setting["type"] in ("FLAGS", "LIST"))
    return "#compdef clampler\n" + HEAD + """
_clampler_setting() {
    local -a words
    if ! compset -P '*='; then
        words=(%(keys)s)
        compadd -S = -q -a words
        return
    fi
    case ${IPREFIX%%=} in
%(words)s    *) _files; return ;;
    esac
    case ${IPREFIX%%=} in
    %(lists)s) compset -P '*,'; compadd -S , -q -a words ;;
    *) compadd -a words ;;
    esac
}

_clampler_preset() {
    local -a words=(%(presets)s)
    compadd -a words
}

_clampler() {
    local -a commands=(
%(commands)s    )
    if ((CURRENT == 2)); then
        _describe command commands
        compadd -- %(globals)s
        return
    fi
    local command=${words[2]}
    shift words
    ((CURRENT--))
    case $command in
%(cases)s    esac
}

_clampler "$@"
""" % {"keys": " ".join(settings), "words": words, "lists": lists, "presets": " ".join(map(quoted, presets)),
       "commands": commands, "globals": " ".join(GLOBAL), "cases": cases}


def fish(settings, presets):
    out = [HEAD]
    for name, (text, options) in COMMANDS.items():
        out.append("complete -c clampler -n __fish_use_subcommand -f -a %s -d %s" % (name, quoted(text)))
        for option, what in options.items():
            line = "complete -c clampler -n '__fish_seen_subcommand_from %s' " % name
            line += "-l " + option[2:] if option.startswith("--") else "-s " + option[1:]
            if isinstance(what, list):
                line += " -x -a '%s'" % " ".join(what)
            elif what != NOTHING:
                line += {FILE: " -r -F", PROGRAM: " -x -a '(__fish_complete_command)'", NUMBER: " -x",
                         SETTING: " -x -a '(__clampler_settings)'", PRESET: " -x -a '(__clampler_presets)'"}[what]
            out.append(line)
    lines = ["%s=%s" % (key, value) for key, setting in settings.items() for value in values(setting) or [""]]
    out.insert(1, "function __clampler_settings\n    printf '%%s\\n' %s\nend\n" % " ".join(lines))
    out.insert(2, "function __clampler_presets\n    printf '%%s\\n' %s\nend\n" % " ".join(map(quoted, presets)))
    out.append("complete -c clampler -n '__fish_seen_subcommand_from run' -x -a '(__fish_complete_subcommand "
               "--fcs-skip=2)'")
    return "\n".join(out) + "\n"


def main():
    help_text.answer(__doc__)
    tree, presets = (json.loads(pathlib.Path(path).read_text(encoding="utf-8")) for path in sys.argv[1:3])
    folder = pathlib.Path(sys.argv[3])
    settings = {setting["key"]: setting for setting in leaves(tree)}
    labels = [preset["label"] for preset in presets]
    folder.mkdir(parents=True, exist_ok=True)
    for name, write in [("clampler.bash", bash), ("_clampler", zsh), ("clampler.fish", fish)]:
        (folder / name).write_text(write(settings, labels), encoding="utf-8")


if __name__ == "__main__":
    main()
