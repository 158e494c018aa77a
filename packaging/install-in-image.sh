#!/usr/bin/env bash
# The last step of an image (Containerfile, apptainer.def), as root in the tree: builds the command and installs it in
# /usr/local. StarPU must be set up already.
# usage: packaging/install-in-image.sh [MARCH]   the processors of its kernels, as -DSTARPATH_MARCH (default native)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cmake --preset native -DSTARPATH_MARCH="${1-native}" -DSTARPATH_UNITY=ON -DSTARPATH_COMMAND_ONLY=ON
scripts/build.sh --command-only starpath_installed
cmake --install build/native --strip
