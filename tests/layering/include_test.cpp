// Reads every #include of harness/ against the table of rooms: a room sees lower levels only, and
// each third-party header has one owner.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::set<std::string>> kMayInclude{
    {"base", {"base"}},
    {"model", {"model", "base"}},
    {"parse", {"parse", "model", "base"}},
    {"judge", {"judge", "model", "base"}},
    {"launch", {"launch", "model", "base"}},
    {"report", {"report", "model", "base"}},
    {"store", {"store", "model", "base"}},
    {"engine", {"engine", "parse", "judge", "launch", "store", "report", "model", "base"}},
    {"cli", {"cli", "engine", "parse", "judge", "launch", "store", "report", "model", "base"}},
};

/// Third-party header prefix → rooms that may include it. nlohmann is allowed in sources only, see
/// below.
const std::map<std::string, std::set<std::string>> kOwners{
    {"CLI/", {"cli"}},
    {"boost/process", {"launch"}},
    {"boost/asio", {"launch"}},
    {"simdjson", {}},
    {"zlib", {"base"}},
    {"openssl/", {"base"}},
    {"spdlog", {}},
    {"httplib", {}},
    {"curl/", {}},
    {"SQLiteCpp", {"store"}},
    {"sqlite3", {"store"}},
    {"benchmark/", {}},
    {"kainjow", {"report"}},
};

struct Include {
  std::string file;
  std::string room;
  bool is_header = false;
  std::string target;
};

std::vector<Include> all_includes() {
  const std::regex pattern(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<Include> includes;
  const fs::path root = fs::path(ACCEPT_SOURCE_DIR) / "harness";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string extension = entry.path().extension().string();
    const fs::path relative = fs::relative(entry.path(), root);
    if ((extension != ".h" && extension != ".cpp") ||
        std::distance(relative.begin(), relative.end()) < 2) {
      continue;  // main.cpp alone stands above the rooms
    }
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      std::smatch match;
      if (std::regex_search(line, match, pattern)) {
        includes.push_back(
            {relative.string(), relative.begin()->string(), extension == ".h", match[1]});
      }
    }
  }
  return includes;
}

TEST(Includes, EveryFolderIsARoomOfTheTable) {
  for (const Include& include : all_includes()) {
    EXPECT_TRUE(kMayInclude.contains(include.room)) << include.file;
  }
}

TEST(Includes, RoomsSeeLowerLevelsOnly) {
  const std::vector<Include> includes = all_includes();
  ASSERT_GT(includes.size(), 100U);
  for (const Include& include : includes) {
    if (!include.target.starts_with("harness/")) {
      continue;
    }
    const std::string rest = include.target.substr(8);
    const std::string room = rest.substr(0, rest.find('/'));
    EXPECT_TRUE(kMayInclude.at(include.room).contains(room))
        << include.file << " includes " << include.target;
  }
}

TEST(Includes, ThirdPartyHeadersHaveOneOwner) {
  for (const Include& include : all_includes()) {
    for (const auto& [prefix, owners] : kOwners) {
      if (include.target.starts_with(prefix)) {
        EXPECT_TRUE(owners.contains(include.room))
            << include.file << " includes " << include.target;
      }
    }
  }
}

TEST(Includes, FullNlohmannJsonStaysOutOfHeaders) {
  for (const Include& include : all_includes()) {
    EXPECT_FALSE(include.is_header && include.target == "nlohmann/json.hpp") << include.file;
  }
}

TEST(Includes, OneFileReadsTheCommandLineLibrary) {
  const std::vector<Include> includes = all_includes();
  EXPECT_EQ(std::ranges::count_if(includes,
                                  [](const Include& i) { return i.target.starts_with("CLI/"); }),
            1);
}

}  // namespace
