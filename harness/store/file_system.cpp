#include "harness/store/file_system.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <fmt/format.h>
#include <sys/vfs.h>

#include "harness/base/error.h"

namespace harness::store {
namespace {

struct FileSystemType {
  std::uint64_t magic;
  std::string_view mount_type;  ///< how its name in /proc/mounts begins
  std::string_view name;
};

// Source: linux/magic.h and statfs(2); GPFS, Lustre, BeeGFS and PanFS: their client's super block.
constexpr std::array<FileSystemType, 17> kUnsuitable{{{0x6969, "nfs", "NFS"},
                                                      {0xFF534D42, "cifs", "SMB/CIFS"},
                                                      {0xFE534D42, "smb3", "SMB"},
                                                      {0x517B, "smbfs", "SMB"},
                                                      {0x0BD00BD0, "lustre", "Lustre"},
                                                      {0x47504653, "gpfs", "GPFS"},
                                                      {0x19830326, "beegfs", "BeeGFS"},
                                                      {0x00C36400, "ceph", "CephFS"},
                                                      {0x65735546, "fuse", "FUSE"},
                                                      {0x01021997, "9p", "9P"},
                                                      {0x5346414F, "afs", "AFS"},
                                                      {0x73757245, "coda", "Coda"},
                                                      {0x7461636F, "ocfs2", "OCFS2"},
                                                      {0x01161970, "gfs2", "GFS2"},
                                                      {0x20030528, "pvfs2", "OrangeFS"},
                                                      {0xAAD7AAEA, "panfs", "PanFS"},
                                                      {0x786F4256, "vboxsf", "VirtualBox share"}}};

base::Text reason_for(const FileSystemType& type) {
  return {fmt::format("it lies on {}, a network file system or one whose locks cannot be trusted; "
                      "SQLite's write-ahead log needs one host and true locks (there it ends in "
                      "'locking protocol' or 'disk I/O error'): use a local disk",
                      type.name),
          fmt::format("它位于 {}（网络文件系统，或其文件锁不可信）；SQLite 的预写日志要求单一主机和"
                      "可靠的文件锁（否则会出现 'locking protocol' 或 'disk I/O "
                      "error'）：请使用本地磁盘",
                      type.name)};
}

}  // namespace

std::optional<base::Text> unsuitable_file_system_type(std::uint64_t f_type) {
  // 32-bit numbers that the kernel hands over in a signed word come sign-extended.
  const auto* const found =
      std::ranges::find(kUnsuitable, f_type & 0xFFFFFFFFU, &FileSystemType::magic);
  return found == kUnsuitable.end() ? std::nullopt : std::optional(reason_for(*found));
}

std::optional<base::Text> unsuitable_file_system_named(std::string_view mount_type) {
  const auto* const found = std::ranges::find_if(kUnsuitable, [&](const FileSystemType& type) {
    return mount_type.starts_with(type.mount_type);
  });
  return found == kUnsuitable.end() ? std::nullopt : std::optional(reason_for(*found));
}

std::optional<base::Text> unsuitable_file_system(const std::filesystem::path& path) {
  std::error_code ignored;
  std::filesystem::path place = std::filesystem::absolute(path);
  while (!std::filesystem::exists(place, ignored) && place.has_relative_path()) {
    place = place.parent_path();
  }
  struct statfs status{};
  if (::statfs(place.c_str(), &status) != 0) {
    throw base::Error(base::ErrorKind::environment,
                      {.tried = {"ask for the file system of", "查询文件系统类型"},
                       .on = place.string(),
                       .happened = base::system_error_text(errno),
                       .next = {}});
  }
  return unsuitable_file_system_type(static_cast<std::uint64_t>(status.f_type));
}

}  // namespace harness::store
