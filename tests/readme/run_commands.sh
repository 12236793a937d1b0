#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the commands shown on a page: run_commands.sh PAGE.md path/to/credence
#
# Each line `$ build/release/credence …` of a console block is run in one empty folder, in the order of the page, and must
# succeed. If output is shown below a command, each of these lines must be printed, in this order; a line `…` is skipped.
# Numbers and spaces are not compared: they depend on the instruction set and on the clock.
set -uo pipefail
page=$(realpath "$1")
credence=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/build/release"
ln -s "$credence" "$folder/build/release/credence"
cd "$folder" || exit 1
export QT_QPA_PLATFORM=offscreen HOME=$folder XDG_CONFIG_HOME=$folder XDG_STATE_HOME=$folder XDG_DATA_HOME=$folder XDG_CACHE_HOME=$folder XDG_RUNTIME_DIR=$folder

# Replaces each number by #, and each run of spaces by one.
words() { sed -E -e 's/[-+−]?[0-9]+([.,][0-9]+)*(e[-+]?[0-9]+)?/#/g' -e 's/[[:space:]]+/ /g' -e 's/ $//'; }

# Prints the first line of $1 that does not appear in $2 after the lines before it. Prints nothing if all appear.
missing_line() {
    local line found from=1
    while IFS= read -r line; do
        [[ -n $line && $line != … ]] || continue
        found=$(tail -n "+$from" <<<"$2" | grep -nxF -m 1 -- "$line" | cut -d: -f1)
        if [[ -z $found ]]; then printf '%s\n' "$line"; return; fi
        from=$((from + found))
    done <<<"$1"
}

run=0 compared=0 failed=0 command='' expected=''
check_command() {
    [[ -n $command ]] || return 0
    local printed missing status=0
    printed=$(bash -c "$command" 2>&1 </dev/null) || status=$?
    missing=$(missing_line "$(words <<<"$expected")" "$(words <<<"$printed")")
    run=$((run + 1))
    [[ -z $expected ]] || compared=$((compared + 1))
    if [[ $status -ne 0 ]]; then
        printf 'FAILED with exit status %s: %s\n%s\n' "$status" "$command" "$printed"
        failed=$((failed + 1))
    elif [[ -n $missing ]]; then
        printf 'FAILED: %s\nThe page shows this line, which was not printed: %s\n--- printed\n%s\n' "$command" "$missing" "$printed"
        failed=$((failed + 1))
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
        '$ '*)
            check_command
            if [[ $in_block == yes && $line == '$ build/release/credence'* ]]; then command=${line#\$ }; fi ;;
        *) if [[ -n $command ]]; then expected+=${expected:+$'\n'}$line; fi ;;
    esac
done <"$page"
check_command

printf '%s commands, %s compared with the page, %s failed\n' "$run" "$compared" "$failed"
[[ $run -gt 0 && $failed -eq 0 ]]
