#!/usr/bin/env bash
# Run rusticl-runner on the device of this job; its exit codes: 0 green, 1 red, 3 infrastructure, 5 only improvements.
# shellcheck disable=SC1091 # paths only become valid at runtime
# shellcheck disable=SC2086 # RUSTICL_SUITE_ARGS is a list

. "${SCRIPTS_DIR}/setup-test-env.sh"

section_start rusticl_suite_setup "rusticl-suite: preparing test setup"

set -ex

# Is it the runner that this tree asks for?
if [ -n "${RUSTICL_SUITE_TAG:-}" ]; then
  ci_tag_test_time_check "RUSTICL_SUITE_TAG"
fi

# For the tests of GL in the job beside this one; here RUSTICL_ENABLE chooses the driver, and the runner sets that.
unset GALLIUM_DRIVER LIBGL_ALWAYS_SOFTWARE LP_NUM_THREADS MESA_LOADER_DRIVER_OVERRIDE

# Where several Vulkan drivers are installed, the job's own.
if [ -n "${VK_DRIVER:-}" ]; then
  find install/share/vulkan/icd.d -name '*.json' ! -name "${VK_DRIVER}_icd.*" -delete
fi

# Mesa's own files, if there are any, have the device in their names; the runner reads a folder for each driver. They come
# before those of the wheel, which has a set for each release; of main the nearest is taken.
EXPECTATIONS=$(mktemp -d)
mkdir "$EXPECTATIONS/$RUSTICL_SUITE_DRIVER"
for kind in fails flakes skips device; do
  file=install/$RUSTICL_SUITE-$kind.txt
  [ ! -e "$file" ] || cp "$file" "$EXPECTATIONS/$RUSTICL_SUITE_DRIVER/$RUSTICL_SUITE_DRIVER-$kind.txt"
done

export RUNNER_RENDER_NODE="${RUNNER_RENDER_NODE-/rusticl-suite/render_node.so}"
export RUNNER_CRASH_PLACE="${RUNNER_CRASH_PLACE-/rusticl-suite/crash_place.so}"

section_switch rusticl_suite "rusticl-suite: $RUSTICL_SUITE"

exec "${RUSTICL_SUITE_RUNNER:-/rusticl-suite/bin/runner}" \
  --driver "$RUSTICL_SUITE_DRIVER" \
  ${RUSTICL_SUITE_GPU:+--gpu "$RUSTICL_SUITE_GPU"} \
  --mesa-prefix install \
  --expectations "$EXPECTATIONS:" \
  --expectations-release nearest \
  --results "${RESULTS_DIR:-results}/rusticl-suite" \
  --jobs "${FDO_CI_CONCURRENT:-4}" \
  ${RUSTICL_SUITE_ARGS:-}
