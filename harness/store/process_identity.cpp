#include "harness/store/process_identity.h"

#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

namespace harness::store {
namespace {

std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  file >> id;
  return id;
}

/// 0 when there is no such process.
std::int64_t start_ticks_of(std::int64_t pid) {
  const std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::stringstream content;
  content << file.rdbuf();
  const std::string stat = content.str();
  // The second field is the program's name in parentheses and may hold anything, ')' too.
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) {
    return 0;
  }
  std::istringstream fields(stat.substr(name_end + 1));
  constexpr int kFieldsBeforeStart = 19;  // fields 3 to 21
  std::string skipped;
  for (int i = 0; i < kFieldsBeforeStart; ++i) {
    fields >> skipped;
  }
  std::int64_t ticks = 0;
  fields >> ticks;
  return ticks;
}

}  // namespace

ProcessIdentity this_process() {
  const std::int64_t pid = ::getpid();
  return {.pid = pid, .boot_id = boot_id(), .start_ticks = start_ticks_of(pid)};
}

bool is_running(const ProcessIdentity& process) {
  return process.pid > 0 && process.start_ticks > 0 && process.boot_id == boot_id() &&
         start_ticks_of(process.pid) == process.start_ticks;
}

}  // namespace harness::store
