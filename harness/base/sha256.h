#pragma once

#include <memory>
#include <string>
#include <string_view>

// SHA-256 (FIPS 180-4) by OpenSSL's libcrypto.

namespace harness::base {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view bytes);
  /// 64 lower-case hexadecimal digits of all bytes added. Call once.
  std::string hex_digest();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256_hex(std::string_view bytes);

}  // namespace harness::base
