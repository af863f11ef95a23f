# shellcheck shell=sh
# Sourced by the scripts of ci/ that set things up in the cache folder: messages, the folder, a venv there.
# A set-up is made in $work, under the lock, and moved to its final name as its last step: that name means complete.

unset root venv folder  # the thing that is set up; not a variable of the user

say() { printf 'ci: %s\n' "$*" >&2; }
die() { say "$@"; exit 3; }

# Python's path is a list separated by colons.
case $ci in *:*) die "this clone lies in ${ci%/*}, and Python finds nothing in a folder with a colon in its name: move it" ;; esac

# A set-up that fails, by a full disk or a tool, ends with 3 and a message, because 1 would mean a regression.
end_set_up() {
    [ -z "${making:-}" ] || rm -rf "$work" "$work.lock" || :
    case $1 in
        0 | 2 | 3) exit "$1" ;;
        *) die "the set-up has failed (exit code $1; above: what failed, below $cache)" ;;
    esac
}

open_cache() {  # sets $cache and $work; from now on end_set_up has the last word
    [ -n "${RUSTICL_RUNNER_CACHE:-}${XDG_CACHE_HOME:-}${HOME:-}" ] ||
        die "there is no HOME to keep a cache folder in: set RUSTICL_RUNNER_CACHE to a folder that you can write"
    trap 'end_set_up $?' EXIT
    cache=${RUSTICL_RUNNER_CACHE:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/rusticl-runner}
    case $cache in /*) ;; *) cache=$(pwd -P)/$cache ;; esac
    work=$cache/new
}

# One start at a time sets a thing up; starts that set up other things do not wait. Child processes inherit the lock, so it
# is released when the last of them ends.
lock_cache() {  # of $root, of $venv or of $folder, whichever the script has
    own=${root:-${venv:-${folder:-}}}
    own=$cache/lock-${own##*/}
    # In a subshell, because a failed redirection ends the shell silently.
    (mkdir -p "$cache" && : >> "$own") 2>/dev/null ||
        die "cannot write the cache folder $cache: set RUSTICL_RUNNER_CACHE to a folder that you can write"
    # shellcheck disable=SC3045
    exec 9>> "$own"
    flock -n 9 || { say "waiting for another start that is setting up ${own##*/lock-} in $cache"; flock 9; }
    work=$cache/new-${own##*/lock-}
    rm -rf "$work"  # left by an interrupted set-up
}

digest() {  # of the files that decide the content of a set-up
    set -- "$(cat -- "$@" | sha256sum)"
    printf %.12s "$1"
}

# A venv of this machine's python3 with only the packages of these lock files (the venv "reader": only those that
# commands without a device import): sets $venv, or $lacks if this machine has no suitable Python.
open_venv() {  # NAME LOCK...
    name=$1 lacks=''
    shift
    python=$(python3 -I -S -c 'import platform, sys; v = sys.version_info
print(sys.executable, *v[:3], platform.libc_ver()[0]) if v >= (3, 11) else exit(1)' 2>&1) ||
        { lacks="no python3 of 3.11 or later on PATH"; return 1; }
    open_cache
    venv=$cache/$name-$(printf %s "$python" | sha256sum | cut -c -12)-$(digest "$@" "$ci/cache.sh" "$ci/board/siphash24.py")
    [ -d "$venv" ] || make_venv "$@" || return 1
    exec 9>&-
}

make_venv() {
    lock_cache
    [ ! -d "$venv" ] || return 0  # made by the start that we waited for
    making=1
    mkdir -p "$work"
    # With this machine's pip if that is new enough (22.3): Debian packages it apart from the files for a venv's own pip.
    own='' outer=--python=$work/venv/bin/python3
    python3 -I -m venv --without-pip "$work/venv" > "$work/log" 2>&1 && python3 -I -m pip "$outer" --version > /dev/null 2>&1 ||
        { outer='' own=$work/venv/bin/; python3 -I -m venv --clear "$work/venv" > "$work/log" 2>&1; } ||
        { cat "$work/log" >&2; lacks="python3 -m venv fails"; return 1; }
    say "fetching the locked Python packages from pip's index to $venv"
    for lock in "$@"; do
        if [ "$name" = reader ]; then  # a package's lines end in a backslash, except the last
            sed -n '/^\(pyyaml\|junitparser\)==/,/[^\\]$/p' "$lock" > "$work/lock"
            lock=$work/lock
        elif [ "${python##* }" != glibc ]; then  # musl, for which siphash24 has no wheel
            sed '/^siphash24==/,/[^\\]$/d' "$lock" > "$work/lock"
            lock=$work/lock
        fi
        env -u PIP_USER -u PIP_TARGET -u PIP_PREFIX "${own}python3" -I -m pip ${outer:+"$outer"} install --quiet \
            --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes -r "$lock" >&2 ||
            die "pip cannot install $lock (above: what pip says). PIP_INDEX_URL names another index"
    done
    if [ "${python##* }" != glibc ] && [ "$name" != reader ]; then  # as runner deploy
        cp "$ci/board/siphash24.py" "$("$work/venv/bin/python3" -I -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/"
    fi
    mv "$work/venv" "$venv"
    rm -rf "$work"
    making=''
}

# Make later commands find the venv's python3 and this project, and no other Python's packages.
enter_venv() {
    for name in $(env | sed -n 's/^\(PYTHON[A-Z0-9_]*\|PYTEST_ADDOPTS\|PYTEST_PLUGINS\)=.*/\1/p'); do unset "$name"; done
    unset RUNNER_ROOT_PACKAGES
    # Not by the scripts in its bin: they name the folder in which the venv was made.
    export PATH="$venv/bin:$PATH" PYTHONPATH="${ci%/*}" PYTHONNOUSERSITE=1 PYTHONSAFEPATH=1
}

# The folder of ci/mesa-build's result: one for each state of that script.
mesa_build() { echo "$cache/mesa-build-$(dpkg --print-architecture)-$(digest "$ci/mesa-build")"; }
