#include "harness/base/files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "harness/base/error.h"
#include "harness/base/log_file.h"
#include "harness/base/sha256.h"

namespace harness::base {
namespace {

constexpr std::uint64_t kBombFloorBytes = 64ULL << 20U;
constexpr std::uint64_t kBombRatio =
    600;  // deflate ends at 1032:1; a log of one repeated line stays under 300:1

[[noreturn]] void fail(ErrorKind kind, Text tried, const std::filesystem::path& path,
                       int error_number) {
  Text next;
  if (error_number == ENOSPC || error_number == EDQUOT) {
    next = {"free some space there, or name another folder", "请释放空间，或改用其他目录"};
  } else if (error_number == EACCES || error_number == EPERM || error_number == EROFS) {
    next = {"check owner and mode of the path, or name another one",
            "请检查该路径的属主和权限，或改用其他路径"};
  }
  throw Error(kind, {.tried = std::move(tried),
                     .on = path.string(),
                     .happened = system_error_text(error_number),
                     .next = std::move(next)});
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

std::size_t read_some(int fd, std::span<char> buffer, const std::filesystem::path& path) {
  for (;;) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count >= 0) {
      return static_cast<std::size_t>(count);
    }
    if (errno != EINTR) {
      fail(ErrorKind::environment, {"read", "读取"}, path, errno);
    }
  }
}

void write_all(int fd, std::string_view content, const std::filesystem::path& path) {
  while (!content.empty()) {
    const ssize_t count = ::write(fd, content.data(), content.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      fail(ErrorKind::environment, {"write", "写入"}, path, errno);
    }
    content.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace

struct InputFile::State {
  explicit State(int fd) : file(fd) {}
  ~State() {
    if (inflating) {
      inflateEnd(&stream);
    }
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  FileDescriptor file;
  bool is_gzip = false;
  bool inflating = false;
  bool member_ended = false;
  z_stream stream{};
  std::array<char, 1U << 16U> packed{};
  std::uint64_t packed_bytes = 0;
  std::uint64_t unpacked_bytes = 0;
};

InputFile::InputFile(const std::filesystem::path& path) : path_(path) {
  // O_NONBLOCK so that opening a named pipe nobody writes to is refused below instead of hanging.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    fail(errno == ENOENT || errno == ENOTDIR ? ErrorKind::usage : ErrorKind::environment,
         {"read", "读取"}, path, errno);
  }
  state_ = std::make_unique<State>(fd);
  struct stat status{};
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    throw Error(
        ErrorKind::usage,
        {.tried = {"read", "读取"},
         .on = path.string(),
         .happened = S_ISDIR(status.st_mode) ? system_error_text(EISDIR)
                                             : Text{"it is not a regular file", "它不是普通文件"},
         .next = {}});
  }
  std::array<unsigned char, 2> magic{};
  const ssize_t count = ::pread(fd, magic.data(), magic.size(), 0);
  state_->is_gzip = count == 2 && magic[0] == 0x1F && magic[1] == 0x8B;
  if (state_->is_gzip) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    state_->inflating = inflateInit2(&state_->stream, kGzipOnly) == Z_OK;
  }
}

InputFile::~InputFile() = default;

std::size_t InputFile::read(std::span<char> buffer) {
  if (damage_ || buffer.empty()) {
    return 0;
  }
  return state_->is_gzip ? read_gzip(buffer) : read_some(state_->file.get(), buffer, path_);
}

bool InputFile::refill_gzip() {
  State& s = *state_;
  const std::size_t count = read_some(s.file.get(), s.packed, path_);
  if (count == 0 && !s.member_ended) {
    damage_ = Text{"the gzip stream is cut off", "gzip 数据流被截断"};
  }
  s.packed_bytes += count;
  s.stream.next_in =
      reinterpret_cast<Bytef*>(s.packed.data());  // NOLINT(*-reinterpret-cast): zlib's byte type
  s.stream.avail_in = static_cast<uInt>(count);
  return count > 0;
}

std::size_t InputFile::read_gzip(std::span<char> buffer) {
  State& s = *state_;
  s.stream.next_out =
      reinterpret_cast<Bytef*>(buffer.data());  // NOLINT(*-reinterpret-cast): zlib's byte type
  s.stream.avail_out = static_cast<uInt>(std::min<std::size_t>(buffer.size(), 1U << 30U));
  const uInt wanted = s.stream.avail_out;
  while (s.stream.avail_out == wanted && (s.stream.avail_in > 0 || refill_gzip())) {
    if (s.member_ended) {  // a further member may follow, as `cat a.gz b.gz` makes
      inflateReset(&s.stream);
      s.member_ended = false;
    }
    const int result = inflate(&s.stream, Z_NO_FLUSH);
    s.member_ended = result == Z_STREAM_END;
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      damage_ = Text{"the gzip stream is corrupt", "gzip 数据流已损坏"};
      break;
    }
  }
  const std::size_t unpacked = wanted - s.stream.avail_out;
  s.unpacked_bytes += unpacked;
  if (s.unpacked_bytes > kBombFloorBytes && s.unpacked_bytes > kBombRatio * s.packed_bytes) {
    damage_ = Text{"it unpacks to more than 600 times its size (decompression bomb)",
                   "解压后超过原大小的 600 倍（疑似解压炸弹）"};
    return 0;
  }
  return unpacked;
}

std::string read_file(const std::filesystem::path& path, std::size_t limit_bytes) {
  InputFile file(path);
  std::string content;
  std::array<char, 1U << 16U> buffer{};
  for (std::size_t count = file.read(buffer); count > 0; count = file.read(buffer)) {
    content.append(buffer.data(), count);
    if (content.size() > limit_bytes) {
      throw Error(ErrorKind::usage,
                  {.tried = {"read", "读取"},
                   .on = path.string(),
                   .happened = {fmt::format("it is longer than {} bytes", limit_bytes),
                                fmt::format("文件超过 {} 字节", limit_bytes)},
                   .next = {"check that this is the file you meant", "请确认这是您要的文件"}});
    }
  }
  if (file.damage()) {
    throw Error(
        ErrorKind::usage,
        {.tried = {"read", "读取"}, .on = path.string(), .happened = *file.damage(), .next = {}});
  }
  return content;
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  std::string temporary = path.string() + ".XXXXXX";
  FileDescriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0) {
    fail(ErrorKind::environment, {"write", "写入"}, path, errno);
  }
  try {
    write_all(file.get(), content, path);
    constexpr mode_t kReadableMode = 0644;
    if (::fchmod(file.get(), kReadableMode) != 0 || ::fsync(file.get()) != 0 ||
        ::close(file.release()) != 0 || ::rename(temporary.c_str(), path.c_str()) != 0) {
      fail(ErrorKind::environment, {"write", "写入"}, path, errno);
    }
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

void make_folder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    fail(ErrorKind::environment, {"make the folder", "创建目录"}, path, error.value());
  }
  if (!std::filesystem::is_directory(path, error)) {
    fail(ErrorKind::usage, {"use as a folder", "作为目录使用"}, path, ENOTDIR);
  }
}

std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder,
                                               std::size_t limit) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entry(folder, error);
  const std::filesystem::recursive_directory_iterator end;
  while (!error && entry != end) {
    if (entry->symlink_status(error).type() == std::filesystem::file_type::regular) {
      files.push_back(entry->path());
    }
    if (files.size() > limit) {
      throw Error(ErrorKind::usage,
                  {.tried = {"list the folder", "列出目录"},
                   .on = folder.string(),
                   .happened = {fmt::format("more than {} files", limit),
                                fmt::format("文件多于 {} 个", limit)},
                   .next = {"name the folder of one run", "请指定单次运行的目录"}});
    }
    entry.increment(error);
  }
  if (error) {
    fail(ErrorKind::usage, {"list the folder", "列出目录"}, folder, error.value());
  }
  std::ranges::sort(files);
  return files;
}

std::string sha256_of_file(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    fail(ErrorKind::environment, {"read", "读取"}, path, errno);
  }
  Sha256 digest;
  std::vector<char> buffer(1U << 18U);
  for (std::size_t count = read_some(file.get(), buffer, path); count > 0;
       count = read_some(file.get(), buffer, path)) {
    digest.add({buffer.data(), count});
  }
  return digest.hex_digest();
}

LogFile::LogFile(std::filesystem::path path, std::uint64_t limit_bytes)
    : path_(std::move(path)), room_bytes_(limit_bytes) {
  constexpr mode_t kReadableMode = 0644;
  fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_APPEND, kReadableMode);
  if (fd_ < 0) {
    fail(ErrorKind::environment, {"write", "写入"}, path_, errno);
  }
}

LogFile::~LogFile() {
  if (fd_ >= 0) {
    ::close(fd_);
  }
}

void LogFile::append(std::string_view bytes) {
  const std::size_t kept =
      static_cast<std::size_t>(std::min<std::uint64_t>(room_bytes_, bytes.size()));
  write_all(fd_, bytes.substr(0, kept), path_);
  room_bytes_ -= kept;
  dropped_bytes_ += bytes.size() - kept;
}

void LogFile::close() {
  if (dropped_bytes_ > 0) {
    write_all(fd_,
              fmt::format("\n[accept: log limit reached, {} bytes not kept]\n", dropped_bytes_),
              path_);
  }
  const int fd = std::exchange(fd_, -1);
  if (::fsync(fd) != 0 || ::close(fd) != 0) {
    fail(ErrorKind::environment, {"write", "写入"}, path_, errno);
  }
}

}  // namespace harness::base
