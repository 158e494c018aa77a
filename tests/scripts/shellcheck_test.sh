#!/usr/bin/env bash
# Every shell script passes shellcheck (skipped where it is not installed).
set -euo pipefail
command -v shellcheck >/dev/null || { echo "skipped: shellcheck is not installed"; exit 77; }
cd "$1"
shellcheck --external-sources --check-sourced --source-path=SCRIPTDIR scripts/*.sh .ci/run tests/scripts/*.sh tests/install/*.sh tests/conformance/*.sh
