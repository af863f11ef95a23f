# shellcheck shell=sh
# Sourced by ci/in-root and ci/on-system: messages, and the cache folder in which they set things up.
# A set-up is made in $work, under the lock, and moved to its final name as its last step: what has that name is whole.

say() { printf 'ci: %s\n' "$*" >&2; }
die() { say "$@"; exit 3; }

open_cache() {  # sets $cache and $work
    cache=${RUSTICL_RUNNER_CACHE:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/rusticl-runner}
    case $cache in /*) ;; *) cache=$(pwd -P)/$cache ;; esac
    work=$cache/new
}

lock_cache() {  # one set-up at a time; the lock is held by what we start, too, and goes when the last of them ends
    # shellcheck disable=SC3045
    { mkdir -p "$cache" && : >> "$cache/lock"; } 2>/dev/null ||
        die "cannot write the cache folder $cache: set RUSTICL_RUNNER_CACHE to a folder that you can write"
    exec 9>> "$cache/lock"
    flock -n 9 || { say "waiting for another start that is setting up in $cache"; flock 9; }
    rm -rf "$work"  # left by an interrupted set-up
}

digest() {  # of the files that decide what a set-up holds
    set -- "$(cat -- "$@" | sha256sum)"
    printf %.12s "$1"
}

# Where ci/mesa-build leaves its result: one of its own for each state of that script.
mesa_build() { echo "$cache/mesa-build-$(dpkg --print-architecture)-$(digest "$ci/mesa-build")"; }
