#include "harness/base/files.h"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "harness/base/error.h"
#include "harness/base/log_file.h"
#include "harness/base/sha256.h"

namespace harness::base {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() {
    std::string name = (fs::temp_directory_path() / "accept-files-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~Files() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }
  fs::path write_gzip(const std::string& name, const std::string& content) const {
    gzFile file = ::gzopen((folder_ / name).c_str(), "wb9");
    ::gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    ::gzclose(file);
    return folder_ / name;
  }
  static std::string bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path folder_;
};

constexpr std::size_t kLimit = 1U << 20U;

TEST_F(Files, GzipIsToldByContentNotByName) {
  EXPECT_EQ(read_file(write_gzip("packed.txt", "hello"), kLimit), "hello");
  EXPECT_EQ(read_file(write("plain.gz", "hello"), kLimit), "hello");
  EXPECT_EQ(read_file(write("empty", ""), kLimit), "");
}

TEST_F(Files, GzipMembersFollowEachOther) {
  const std::string both = bytes_of(write_gzip("a", "one ")) + bytes_of(write_gzip("b", "two"));
  EXPECT_EQ(read_file(write("ab", both), kLimit), "one two");
}

TEST_F(Files, CutGzipIsDamageAndWhatCameBeforeIsKept) {
  std::string text;
  for (int i = 0; i < 20000; ++i) {
    text += std::to_string(i * 7919) + "\n";
  }
  const std::string packed = bytes_of(write_gzip("whole", text));
  InputFile file(write("cut", packed.substr(0, packed.size() / 2)));
  std::string read;
  std::vector<char> buffer(4096);
  for (std::size_t count = file.read(buffer); count > 0; count = file.read(buffer)) {
    read.append(buffer.data(), count);
  }
  EXPECT_GT(read.size(), text.size() / 4);
  EXPECT_TRUE(text.starts_with(read));
  ASSERT_TRUE(file.damage());
  EXPECT_NE(file.damage()->en.find("cut off"), std::string::npos);
}

TEST_F(Files, DecompressionBombIsRefusedAfterItsFirstMegabytes) {
  InputFile file(write_gzip("bomb", std::string(300U << 20U, '\0')));
  std::vector<char> buffer(1U << 20U);
  std::size_t total = 0;
  for (std::size_t count = file.read(buffer); count > 0; count = file.read(buffer)) {
    total += count;
  }
  ASSERT_TRUE(file.damage());
  EXPECT_LT(total, 100U << 20U);
}

TEST_F(Files, WhatIsNoRegularFileIsNamed) {
  const auto message_for = [](const fs::path& path) {
    try {
      InputFile file(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return error.message(Language::en);
    }
    return std::string();
  };
  EXPECT_NE(message_for(folder_ / "missing").find("No such file"), std::string::npos);
  EXPECT_NE(message_for(folder_).find("Is a directory"), std::string::npos);
  ::mkfifo((folder_ / "pipe").c_str(), 0600);
  EXPECT_NE(message_for(folder_ / "pipe").find("not a regular file"), std::string::npos);
}

TEST_F(Files, TooLongAFileIsRefused) {
  EXPECT_THROW(read_file(write("long", "12345"), 4), Error);
}

TEST_F(Files, AtomicWriteReplacesAndLeavesNothingBeside) {
  write_file_atomically(folder_ / "x", "one");
  write_file_atomically(folder_ / "x", "two");
  EXPECT_EQ(bytes_of(folder_ / "x"), "two");
  EXPECT_EQ(files_below(folder_).size(), 1U);
}

TEST_F(Files, ListingIsSortedAndDoesNotFollowLinks) {
  fs::create_directories(folder_ / "b");
  write("b/2", "");
  write("a", "");
  fs::create_symlink("/etc", folder_ / "link");
  const auto files = files_below(folder_);
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0], folder_ / "a");
  EXPECT_EQ(files[1], folder_ / "b" / "2");
}

TEST_F(Files, LogFileKeepsUpToItsLimitAndSaysWhatItDropped) {
  LogFile log(folder_ / "log", 10);
  log.append("123456");
  log.append("789012");
  EXPECT_EQ(log.dropped_bytes(), 2U);
  log.close();
  EXPECT_EQ(bytes_of(folder_ / "log"),
            "1234567890\n[accept: log limit reached, 2 bytes not kept]\n");
}

TEST_F(Files, FullDiskIsAnErrorWithAdvice) {
  if (::access("/dev/full", W_OK) != 0) {
    GTEST_SKIP() << "no /dev/full";
  }
  LogFile log("/dev/full", 100);
  try {
    log.append("x");
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::environment);
    EXPECT_NE(error.message(Language::en).find("free some space"), std::string::npos);
  }
}

TEST(Sha256, MatchesThePublishedVectors) {
  // FIPS 180-4 examples: "abc" and the empty message.
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

}  // namespace
}  // namespace harness::base
