#include "harness/engine/data_folder.h"

#include <array>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>
#include <sys/auxv.h>

#include "harness/base/error.h"

namespace harness::engine {
namespace {

bool has_suites(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::is_directory(folder / "suites", ignored);
}

/// As the kernel knows it; in a bare root without /proc, as it was called.
std::filesystem::path path_of_this_program() {
  std::error_code failed;
  auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) {
    // getauxval(3) returns addresses as numbers.
    // NOLINTNEXTLINE(performance-no-int-to-ptr,*-reinterpret-cast)
    const char* called = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
    path = called == nullptr ? "" : std::filesystem::weakly_canonical(called, failed);
  }
  return path;
}

}  // namespace

std::filesystem::path find_data_folder() {
  if (const char* named = std::getenv("ACCEPT_DATA_DIR"); named != nullptr && *named != '\0') {
    if (has_suites(named)) {
      return named;
    }
    throw base::Error(
        base::ErrorKind::usage,
        {.tried = {"use the data folder", "使用数据目录"},
         .on = named,
         .happened = {"it has no folder 'suites'", "其中没有 suites 目录"},
         .next = {"correct or unset ACCEPT_DATA_DIR", "请修正或取消 ACCEPT_DATA_DIR"}});
  }
  const auto bin_folder = path_of_this_program().parent_path();
  const std::array candidates{bin_folder.parent_path() / "share" / "accept",
                              bin_folder.parent_path()};
  for (const auto& candidate : candidates) {
    if (has_suites(candidate)) {
      return candidate;
    }
  }
  throw base::Error(
      base::ErrorKind::environment,
      {.tried = {"find the folder with the suites", "查找套件目录"},
       .on = candidates[0].string(),
       .happened = {"it is not beside the program", "程序旁没有该目录"},
       .next = {
           "unpack the whole archive, or set ACCEPT_DATA_DIR to the folder that holds 'suites'",
           "请完整解压安装包，或将 ACCEPT_DATA_DIR 设为包含 suites 的目录"}});
}

}  // namespace harness::engine
