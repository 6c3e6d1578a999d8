# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Scripts source this in front of everything that they do: with --help, or -h, among its arguments a script prints the
# comment that it begins with and ends. Nothing is built, installed or written.
for argument; do
    case $argument in
    --help | -h)
        sed -n '3,$ { /^#/!q; s/^# \{0,1\}//p }' "$0"
        exit 0
        ;;
    esac
    [ -z "${help_stands_first:-}" ] || break # of scripts that run another command, whose options follow
done
