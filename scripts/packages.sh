# Debian packages by purpose; sourced by setup.sh. One line per group, the reason for each library stands in README.md.
. /etc/os-release

# Boost.Process v2 needs Boost 1.80 or newer: Debian 12 has it beside its default 1.74, newer releases by default.
case "${VERSION_CODENAME:-}" in
  bookworm) boost_packages="libboost1.81-dev libboost-filesystem1.81-dev" ;;
  *)        boost_packages="libboost-dev libboost-filesystem-dev" ;;
esac

build_packages="g++ make cmake ninja-build ccache nlohmann-json3-dev libcli11-dev libkainjow-mustache-dev
  libsqlitecpp-dev libsqlite3-dev   libfmt-dev zlib1g-dev libssl-dev $boost_packages"
# Without the pthread variant of OpenBLAS, Debian's PyTorch multiplies matrices ten times slower.
run_packages="python3 python3-torch libopenblas0-pthread"
test_packages="libgtest-dev libgmock-dev libbenchmark-dev python3-jsonschema git"
ci_packages="clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev"
dist_packages="debootstrap"
