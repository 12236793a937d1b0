# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Shared by ./packaging/run, ./packaging/check and ./packaging/sanitize: packages, configuration, build. To be sourced, not run.
# Every step first checks whether there is anything to do, so a second call takes a second.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# One compiler per core, limited by memory: each can need 1.5 GB.
jobs=$(awk -v cores="$(nproc)" '/^MemTotal:/ { n = int($2 / 1.5e6) } END { print n < 1 ? 1 : n < cores ? n : cores }' /proc/meminfo 2>/dev/null || nproc)
cd "$root" || exit 1

say()  { printf 'credence: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# Prints the lines of dependencies.txt without comments: a package, or `a | b` where distributions differ.
listed_packages() { sed -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' packaging/dependencies.txt; }

installed() { [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed* ]]; }
offered()   { [[ $(apt-cache policy "$1" 2>/dev/null) == *'Candidate: '[^\(]* ]]; }

# Prints the lines of the list for which no alternative is installed.
missing_packages() {
    local line name found
    while IFS= read -r line; do
        found=no
        for name in ${line//|/ }; do
            if installed "$name"; then found=yes; break; fi
        done
        [[ $found == yes ]] || printf '%s\n' "$line"
    done < <(listed_packages)
}

# Prints the first alternative of each line that apt offers; writes unknown lines to the file $1.
choose_packages() {
    local line name chosen
    while IFS= read -r line; do
        chosen=
        for name in ${line//|/ }; do
            if offered "$name"; then chosen=$name; break; fi
        done
        if [[ -n $chosen ]]; then printf '%s\n' "$chosen"; else printf '%s\n' "$line" >>"$1"; fi
    done
}

as_root() {
    if [[ $(id -u) -eq 0 ]]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    elif command -v sudo >/dev/null; then
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    else
        fail "installing packages needs root or sudo, and neither is available; run as root: $*"
    fi
}

install_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "this system has no apt; install the libraries listed in packaging/dependencies.txt yourself."
        return
    fi
    local missing unknown chosen
    missing=$(missing_packages)
    [[ -n $missing ]] || return 0

    unknown=$(mktemp)
    chosen=$(choose_packages "$unknown" <<<"$missing")
    if [[ -s $unknown ]]; then   # package lists are missing or outdated
        say "reading the package lists (apt-get update)"
        as_root apt-get update -q >&2 || fail "apt-get update failed (see above); check the network connection."
        : >"$unknown"
        chosen=$(choose_packages "$unknown" <<<"$missing")
    fi
    if [[ -s $unknown ]]; then
        local names
        names=$(paste -sd, "$unknown" | sed 's/,/, /g')
        rm -f "$unknown"
        fail "this distribution does not offer: $names. Credence needs Debian 12, Ubuntu 24.04 or newer."
    fi
    rm -f "$unknown"

    say "installing $(paste -sd' ' <<<"$chosen")"
    local install=(apt-get install -y -q --no-install-recommends)
    # shellcheck disable=SC2086  # one word per package
    if ! as_root "${install[@]}" $chosen >&2; then
        say "installation failed; trying again with updated package lists (apt-get update)"
        as_root apt-get update -q >&2 || fail "apt-get update failed (see above); check the network connection."
        # shellcheck disable=SC2086
        as_root "${install[@]}" $chosen >&2 || fail "apt-get could not install every package; see the lines above."
    fi
}

# True if version $1 is $2 or newer.
at_least() { [[ $(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]; }

check_tools() {
    local tool version
    for tool in cmake ninja "${CXX:-g++}"; do
        command -v "${tool%% *}" >/dev/null || fail "$tool is needed to build Credence and was not found."
    done
    version=$(cmake --version | sed -n '1s/.*version \([0-9.]*\).*/\1/p')
    at_least "$version" 3.25 || fail "Credence needs CMake 3.25 or newer, found $version."
    if [[ -z ${CXX:-} ]]; then
        version=$(g++ -dumpfullversion)
        at_least "$version" 12 || fail "Credence needs g++ 12 or newer, found $version: install a newer one and set CXX to it."
    fi
}

# set_up TARGET...: packages, configuration and build of the preset last chosen with use_preset.
set_up() {
    install_packages
    check_tools
    if [[ ! -f $build/build.ninja ]]; then
        say "configuring in build/$preset"
        cmake --preset "$preset" -DCREDENCE_UNITY=ON >&2 || fail "the configuration failed; see the lines above."
    fi
    say "building in build/$preset on $jobs cores (takes minutes the first time)"
    cmake --build --preset "$preset" --parallel "$jobs" --target "$@" >&2 || fail "the build failed; see the lines above."
}

# use_preset NAME: chooses a preset of CMakePresets.json, built in build/NAME.
use_preset() {
    preset=$1
    build=$root/build/$preset
}
use_preset release

# run_tests ARGUMENTS...: runs all tests of the preset, writes tests.xml and sets $passed, $failed and $skipped. False if a test failed.
# Each test has one <testcase … status="run|fail|notrun|disabled">. A test that skips itself is `notrun` with a reason SKIP…;
# any other `notrun` could not start and counts as failed. Two tests per core: those of the window wait most of the time.
run_tests() {
    local junit=$build/tests.xml status=0 folder
    rm -f "$junit"
    folder=$(mktemp -d)   # for the files of the tests; deleted at the end
    TMPDIR=$folder TEST_TMPDIR=$folder QT_QPA_PLATFORM=offscreen ctest --preset "$preset" --parallel "$((2 * jobs))" --output-on-failure --no-tests=error --output-junit "$junit" "$@" || status=$?
    rm -rf "$folder"
    [[ -f $junit ]] || fail "ctest wrote no results (status $status)."
    passed=$(count_lines '<testcase .*status="run"' "$junit")
    skipped=$(($(count_lines '<skipped message="SKIP' "$junit") + $(count_lines '<testcase .*status="disabled"' "$junit")))
    failed=$(($(count_lines '<testcase ' "$junit") - passed - skipped))
    if [[ $failed -eq 0 && $status -ne 0 ]]; then fail "ctest ended with status $status although no test failed."; fi
    [[ $failed -eq 0 ]]
}
count_lines() { grep -c "$1" "$2" || true; }
