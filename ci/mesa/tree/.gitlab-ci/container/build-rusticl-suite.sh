#!/usr/bin/env bash
# rusticl-runner in a Python environment of its own, /rusticl-suite. Every file that is installed has its hash in
# requirements.txt. ci/mesa/install of rusticl-runner writes that file and the two of C: a render node for zink on lavapipe,
# if the machine has none, and the place where a child died.

set -uex

section_start rusticl-suite "Installing rusticl-runner"

FILES=.gitlab-ci/container/rusticl-suite

# In 25.0 and before there are no such tags.
if [ -n "${RUSTICL_SUITE_TAG:-}" ]; then
  ci_tag_build_time_check "RUSTICL_SUITE_TAG" "$FILES/requirements.txt" "$FILES/render_node.c" "$FILES/crash_place.c"
fi

# clang: tinygrad's CPU device, which some of its cases are compared with
apt-get install -y --no-remove --no-install-recommends clang libc6-dev ocl-icd-libopencl1 python3-venv
python3 -m venv /rusticl-suite
/rusticl-suite/bin/pip install --no-cache-dir --no-deps --only-binary=:all: --require-hashes -r "$FILES/requirements.txt"
/rusticl-suite/bin/pip uninstall --yes pip
for name in render_node crash_place; do
  clang -shared -fPIC -O2 -o "/rusticl-suite/$name.so" "$FILES/$name.c" -ldl
done

section_end rusticl-suite
