#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs what the README shows: run_commands.sh README.md path/to/credence
# Every line `$ build/release/credence …` of a console block is run, in the order of the page, in one empty folder. It has to succeed and to
# print the lines below it. Numbers may differ (they depend on the instruction set and on the clock), words and layout may not. A line `…`
# stands for any lines.
set -uo pipefail
readme=$(realpath "$1")
credence=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/build/release"
ln -s "$credence" "$folder/build/release/credence"
cd "$folder" || exit 1
export QT_QPA_PLATFORM=offscreen HOME=$folder XDG_CONFIG_HOME=$folder XDG_STATE_HOME=$folder XDG_DATA_HOME=$folder XDG_CACHE_HOME=$folder XDG_RUNTIME_DIR=$folder

# Numbers and the width that they take become one sign.
words() { sed -E -e 's/commit [0-9a-f]{7,40}(-dirty)?, //' -e 's/(GCC|Clang) [0-9.]+/COMPILER/' -e 's/[-+−]?[0-9]+([.,][0-9]+)*(e[-+]?[0-9]+)?/#/g' -e 's/x86-64-v#|x#-#-v#|baseline/LEVEL/g' -e 's/[[:space:]]+/ /g' -e 's/ $//'; }

# Does text $2 consist of the lines of $1, where … stands for any lines, none included?
matches() {
    local pattern='' line
    while IFS= read -r line; do
        if [[ $line == … ]]; then pattern+='*'; else pattern+=$(sed 's/[][\\*?]/\\&/g' <<<"$line")$'\n'; fi
    done <<<"$1"
    # shellcheck disable=SC2053  # a pattern is wanted
    [[ $2$'\n' == $pattern ]]
}

count=0 failures=0 command='' expected=''
check_command() {
    [[ -n $command ]] || return 0
    local printed status=0
    printed=$(bash -c "$command" 2>&1 </dev/null) || status=$?
    count=$((count + 1))
    if [[ $status -ne 0 ]]; then
        printf 'FAILED with status %s: %s\n%s\n' "$status" "$command" "$printed"
        failures=$((failures + 1))
    elif ! matches "$(words <<<"$expected")" "$(words <<<"$printed")"; then
        printf 'The README shows other lines than this prints: %s\n--- README\n%s\n--- printed\n%s\n' "$command" "$expected" "$printed"
        failures=$((failures + 1))
    else
        printf 'ok: %s\n' "$command"
    fi
    command='' expected=''
}

in_block=no
while IFS= read -r line; do
    case $line in
        '```console') in_block=yes ;;
        '```'*) check_command; in_block=no ;;
        '$ build/release/credence'*) if [[ $in_block == yes ]]; then check_command; command=${line#\$ }; fi ;;
        '$ '*) if [[ $in_block == yes ]]; then check_command; fi ;;
        *) if [[ -n $command ]]; then expected+=${expected:+$'\n'}$line; fi ;;
    esac
done <"$readme"
check_command

printf '%s commands, %s failed\n' "$count" "$failures"
[[ $count -gt 0 && $failures -eq 0 ]]
