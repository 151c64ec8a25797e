#include "harness/launch/linux_process.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace harness::launch {
namespace {

std::optional<std::string> read_proc_file(const std::string& path) {
  const OwnedDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    return std::nullopt;
  }
  std::string content;
  std::array<char, 4096> part{};
  while (true) {
    const ssize_t count = ::read(file.number(), part.data(), part.size());
    if (count > 0) {
      content.append(part.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      return count == 0 ? std::optional(content) : std::nullopt;
    }
  }
}

/// The process numbers among the names in a folder of /proc.
std::vector<pid_t> numbered_entries(const std::string& folder) {
  std::vector<pid_t> numbers;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    pid_t number = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), number);
    if (parsed.ec == std::errc() && parsed.ptr == name.data() + name.size()) {
      numbers.push_back(number);
    }
  }
  return numbers;
}

}  // namespace

std::optional<ProcessState> read_process_state(pid_t process) {
  const std::string line = read_proc_file(fmt::format("/proc/{}/stat", process)).value_or("");
  // The name stands in parentheses and may itself hold any byte: the last one closes it.
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) {
    return std::nullopt;
  }
  std::istringstream fields(line.substr(name_end + 1));
  char state = ' ';
  pid_t group = 0;
  ProcessState found;
  fields >> state >> found.parent >> group >> found.session;
  found.is_zombie = state == 'Z';
  return fields ? std::optional(found) : std::nullopt;
}

bool has_in_environment(pid_t process, std::string_view text) {
  // In the midst of execve() a process has no environment for a moment.
  constexpr int kLooks = 3;
  std::optional<std::string> content;
  for (int look = 0; look < kLooks; ++look) {
    content = read_proc_file(fmt::format("/proc/{}/environ", process));
    if (!content || !content->empty()) {
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return content && content->find(text) != std::string::npos;
}

std::vector<pid_t> children_of(pid_t parent) {
  std::optional<std::vector<pid_t>> listed = listed_children(parent);
  return listed ? *listed : searched_children(parent);
}

std::optional<std::vector<pid_t>> listed_children(pid_t parent) {
  static const bool kKernelHasLists = ::access("/proc/thread-self/children", R_OK) == 0;
  if (!kKernelHasLists) {
    return std::nullopt;
  }
  std::vector<pid_t> children;
  const std::string tasks = fmt::format("/proc/{}/task", parent);
  for (const pid_t thread : numbered_entries(tasks)) {
    std::istringstream list(
        read_proc_file(fmt::format("{}/{}/children", tasks, thread)).value_or(""));
    for (pid_t child = 0; list >> child;) {
      children.push_back(child);
    }
  }
  return children;
}

std::vector<pid_t> searched_children(pid_t parent) {
  std::vector<pid_t> children;
  for (const pid_t process : numbered_entries("/proc")) {
    const std::optional<ProcessState> state = read_process_state(process);
    if (state && state->parent == parent) {
      children.push_back(process);
    }
  }
  return children;
}

OwnedDescriptor open_process(pid_t process) {
  // Called by number: glibc has names for these two from 2.36 on only.
  return OwnedDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
}

bool send_signal(const OwnedDescriptor& process, int signal_number) {
  return process.is_open() &&
         ::syscall(SYS_pidfd_send_signal, process.number(), signal_number, nullptr, 0) == 0;
}

}  // namespace harness::launch
