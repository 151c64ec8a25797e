#include "harness/launch/program_lookup.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/error.h"

namespace harness::launch {
namespace {

using base::printable;
using base::Text;

bool has_nul(std::string_view text) {
  return text.find('\0') != std::string_view::npos;
}

/// Nothing when `file` can be executed; the errno value of the reason otherwise.
std::optional<int> executable_error(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) {
    return error ? error.value() : ENOENT;
  }
  if (std::filesystem::is_directory(status)) {
    return EISDIR;
  }
  return ::access(file.c_str(), X_OK) == 0 ? std::nullopt : std::optional(errno);
}

std::optional<Text> find_environment_problem(const base::ProcessSpec& spec) {
  for (const auto& [name, content] : spec.environment) {
    if (name.empty() || has_nul(name) || name.find('=') != std::string::npos) {
      return Text{
          fmt::format("'{}' cannot be the name of an environment variable", printable(name)),
          fmt::format("“{}”不能用作环境变量名", printable(name))};
    }
    if (has_nul(content)) {
      return Text{fmt::format("the environment variable '{}' holds a NUL byte", printable(name)),
                  fmt::format("环境变量“{}”的值中含有 NUL 字节", printable(name))};
    }
  }
  return std::nullopt;
}

std::optional<Text> find_directory_problem(const std::filesystem::path& directory) {
  if (directory.empty()) {
    return std::nullopt;
  }
  const std::string shown = printable(directory.string());
  if (has_nul(directory.native())) {
    return Text{fmt::format("the working directory '{}' holds a NUL byte", shown),
                fmt::format("工作目录“{}”中含有 NUL 字节", shown)};
  }
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(directory, error);
  int error_number = 0;
  if (!std::filesystem::exists(status)) {
    error_number = error ? error.value() : ENOENT;
  } else if (!std::filesystem::is_directory(status)) {
    error_number = ENOTDIR;
  } else if (::access(directory.c_str(), X_OK) != 0) {
    error_number = errno;
  }
  if (error_number == 0) {
    return std::nullopt;
  }
  const Text reason = base::system_error_text(error_number);
  return Text{fmt::format("cannot enter the working directory '{}': {}", shown, reason.en),
              fmt::format("无法进入工作目录“{}”：{}", shown, reason.zh)};
}

Text cannot_start(std::string_view program, const Text& reason) {
  const std::string shown = printable(program);
  return Text{fmt::format("cannot start '{}': {}", shown, reason.en),
              fmt::format("无法启动“{}”：{}", shown, reason.zh)};
}

std::variant<std::filesystem::path, Text> search_path(const std::string& name,
                                                      const std::string& path,
                                                      const std::filesystem::path& directory) {
  std::optional<std::filesystem::path> not_executable;
  for (const std::string& folder : base::split(path, ':')) {
    std::filesystem::path candidate = directory / folder / name;
    const std::optional<int> problem = executable_error(candidate);
    if (!problem) {
      return candidate;
    }
    if (*problem == EACCES && !not_executable) {
      not_executable = std::move(candidate);
    }
  }
  const std::string shown = printable(path);
  if (not_executable) {
    const std::string found = printable(not_executable->string());
    return cannot_start(
        name, Text{fmt::format("'{}' is not executable, and there is no other one in PATH '{}'",
                               found, shown),
                   fmt::format("“{}”没有执行权限，PATH“{}”中也没有其他同名程序", found, shown)});
  }
  return cannot_start(name, Text{fmt::format("there is no such program in PATH '{}'", shown),
                                 fmt::format("PATH“{}”中没有该程序", shown)});
}

/// What stands after "#!" in the first line of a script; empty for other files.
std::string interpreter_of(const std::filesystem::path& program) {
  constexpr std::size_t kLimitBytes = 256;  // as in Linux, BINPRM_BUF_SIZE
  std::string start(kLimitBytes, '\0');
  std::ifstream file(program, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  if (!start.starts_with("#!")) {
    return "";
  }
  const std::string line = start.substr(2, start.find('\n') - 2);
  const std::string_view command = base::trim(line);
  return std::string(command.substr(0, command.find_first_of(" \t")));
}

Text missing_interpreter_text(const std::filesystem::path& program) {
  const std::string interpreter = interpreter_of(program);
  if (interpreter.empty()) {
    return Text{
        "the file is there, but the loader it asks for is not: it was built for another system",
        "文件存在，但缺少它所需的动态加载器：它是为其他系统构建的"};
  }
  const std::string shown = printable(interpreter);
  return Text{
      fmt::format("its interpreter '{}' (first line, '#!') does not exist or cannot be executed",
                  shown),
      fmt::format("其解释器“{}”（首行“#!”）不存在或无法执行", shown)};
}

}  // namespace

std::optional<Text> find_request_problem(const base::ProcessSpec& spec) {
  if (spec.argv.empty() || spec.argv.front().empty()) {
    return Text{"cannot start a child process: no program is named", "无法启动子进程：未指定程序"};
  }
  const auto bad = std::ranges::find_if(spec.argv, has_nul);
  if (bad != spec.argv.end()) {
    const std::string shown = printable(*bad);
    return cannot_start(spec.argv.front(),
                        Text{fmt::format("the argument '{}' holds a NUL byte", shown),
                             fmt::format("参数“{}”中含有 NUL 字节", shown)});
  }
  std::optional<Text> problem = find_environment_problem(spec);
  if (!problem) {
    problem = find_directory_problem(spec.working_directory);
  }
  return problem ? std::optional(cannot_start(spec.argv.front(), *problem)) : std::nullopt;
}

std::variant<std::filesystem::path, Text> find_program(const base::ProcessSpec& spec) {
  const std::string& name = spec.argv.front();
  std::error_code error;
  const std::filesystem::path directory = std::filesystem::absolute(
      spec.working_directory.empty() ? std::filesystem::path(".") : spec.working_directory, error);
  if (name.find('/') != std::string::npos) {
    std::filesystem::path program = directory / name;
    if (const std::optional<int> problem = executable_error(program)) {
      return cannot_start(name, base::system_error_text(*problem));
    }
    return program;
  }
  const auto path = spec.environment.find("PATH");
  if (path == spec.environment.end()) {
    return cannot_start(
        name, Text{"it has no '/', and the environment it is to get has no PATH to search",
                   "名称中没有“/”，且为其准备的环境变量中没有可供查找的 PATH"});
  }
  return search_path(name, path->second, directory);
}

Text explain_exec_failure(const std::filesystem::path& program, int error_number) {
  Text reason = base::system_error_text(error_number);
  if (error_number == ENOENT || (error_number == EACCES && !interpreter_of(program).empty())) {
    reason = missing_interpreter_text(program);
  } else if (error_number == ENOEXEC) {
    reason = Text{
        "the system cannot execute it: built for another processor, or a script without a '#!' "
        "line",
        "系统无法执行该文件：它是为其他处理器构建的，或者是缺少“#!”首行的脚本"};
  } else if (error_number == E2BIG) {
    reason =
        Text{"its arguments and environment are too long", "参数与环境变量的总长度超出系统限制"};
  }
  return cannot_start(program.string(), reason);
}

}  // namespace harness::launch
