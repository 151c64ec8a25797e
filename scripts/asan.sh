#!/usr/bin/env bash
# Builds and runs, under AddressSanitizer and UndefinedBehaviorSanitizer, the tests of the rooms that read foreign bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset asan >/dev/null
cmake --build build-asan -j "$(nproc)" --target foreign_bytes_tests
cd build-asan && ctest --output-on-failure -j "$(nproc)" -L foreign_bytes
