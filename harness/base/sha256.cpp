#include "harness/base/sha256.h"

#include <array>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "harness/base/error.h"

namespace harness::base {
namespace {

void expect(int openssl_result) {
  if (openssl_result != 1) {
    throw Error(ErrorKind::environment, {.tried = {"compute a SHA-256 digest", "计算 SHA-256 摘要"},
                                         .on = "",
                                         .happened = same_in_both("libcrypto: EVP digest failed"),
                                         .next = {}});
  }
}

}  // namespace

struct Sha256::State {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(),
                                                                  &EVP_MD_CTX_free};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  expect(EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr));
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  expect(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()));
}

std::string Sha256::hex_digest() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  expect(EVP_DigestFinal_ex(state_->context.get(), digest.data(), &size));
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) {
    hex += fmt::format("{:02x}", digest.at(i));
  }
  return hex;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.hex_digest();
}

}  // namespace harness::base
