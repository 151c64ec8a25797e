#pragma once

#include <cstdint>
#include <string>

// One process of one boot of one host, told apart from a later process of the same number.

namespace harness::store {

/// Source: proc(5), /proc/pid/stat field 22 and /proc/sys/kernel/random/boot_id.
struct ProcessIdentity {
  std::int64_t pid = 0;          ///< 0: not known
  std::string boot_id;           ///< empty: not known
  std::int64_t start_ticks = 0;  ///< clock ticks from boot to its start

  bool operator==(const ProcessIdentity&) const = default;
};

ProcessIdentity this_process();

/// True when that very process still runs on this host; false after a reboot or on another host.
bool is_running(const ProcessIdentity& process);

}  // namespace harness::store
