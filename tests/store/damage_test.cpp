// What happens to the store when the world around it fails: kills, full disks, flipped bits, other
// writers.

#include <array>
#include <chrono>
#include <csignal>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness/store/store.h"
#include "tests/store/store_fixture.h"

namespace harness::store {
namespace {

using base::ErrorKind;

constexpr unsigned kSeed = 20261130;

std::string words_of(const std::vector<Problem>& problems) {
  std::string words;
  for (const Problem& problem : problems) {
    words += problem.run_id + ": " + problem.text.en + "\n";
  }
  return words;
}

RunContents contents_of_size(std::size_t measurement_count) {
  RunContents contents = some_contents();
  contents.measurements.resize(measurement_count, contents.measurements[0]);
  return contents;
}

constexpr std::size_t kFigures = 20;

bool say(int pipe, const std::string& words) {
  return ::write(pipe, words.data(), words.size()) == static_cast<ssize_t>(words.size());
}

/// Stores runs until it is killed and says on `pipe` what is on disk: begun and done runs.
int write_for_ever(const fs::path& database, int pipe, int round) {
  Store store = Store::open(database, kSqlFolder);
  for (int i = 0;; ++i) {
    const std::string id = fmt::format("r-{}-{}", round, i);
    store.begin_run(open_run(id));
    const bool was_said = say(pipe, "B " + id + "\n");
    store.finish_run(done_run(id), contents_of_size(kFigures));
    if (!was_said || !say(pipe, "D " + id + "\n")) {
      return 1;
    }
  }
}

/// Starts a writer and kills it after `life`, which in each second round counts from its first
/// acknowledgement on; what it acknowledged.
std::string killed_writer(const fs::path& database, int round, std::chrono::microseconds life) {
  std::array<int, 2> pipe{};
  EXPECT_EQ(::pipe(pipe.data()), 0);
  const pid_t child = start_child([&] { return write_for_ever(database, pipe[1], round); });
  ::close(pipe[1]);
  if (round % 2 == 1) {
    constexpr int kLongEnoughMs = 20000;
    pollfd first{.fd = pipe[0], .events = POLLIN, .revents = 0};
    EXPECT_EQ(::poll(&first, 1, kLongEnoughMs), 1);
  }
  std::this_thread::sleep_for(life);
  ::kill(child, SIGKILL);
  EXPECT_EQ(wait_for(child), 128 + SIGKILL);
  std::string acknowledged;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = ::read(pipe[0], buffer.data(), buffer.size())) > 0;) {
    acknowledged.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(pipe[0]);
  return acknowledged;
}

/// Ids of the stored runs, as they were acknowledged; checks that each is whole or empty.
std::set<std::string> stored_lines(const Store& store) {
  std::set<std::string> lines;
  for (const RunRecord& run : store.list_runs({.limit = 1000000})) {
    const bool is_done = run.state == RunState::done;
    EXPECT_EQ(store.measurements_of(run.run_id).size(), is_done ? kFigures : 0U);
    EXPECT_TRUE(lines.insert("B " + run.run_id).second);
    if (is_done) {
      lines.insert("D " + run.run_id);
    }
  }
  return lines;
}

TEST_F(StoreTest, KilledWriterLosesNothingItAcknowledged) {
  open();
  std::mt19937 random(kSeed);
  std::uniform_int_distribution<int> life_us(0, 50000);
  std::string acknowledged;
  constexpr int kRounds = 100;
  for (int round = 0; round < kRounds; ++round) {
    acknowledged += killed_writer(database_, round, std::chrono::microseconds(life_us(random)));
  }
  const Store store = open();
  EXPECT_EQ(words_of(store.check()), "");
  const std::set<std::string> stored = stored_lines(store);
  std::istringstream lines(acknowledged);
  int done_count = 0;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(stored.contains(line)) << line;
    done_count += line.starts_with('D') ? 1 : 0;
  }
  EXPECT_GT(done_count, 10) << "the kills came too early to tell anything";
}

TEST_F(StoreTest, KilledMigrationLeavesTheVersionBeforeOrAfter) {
  const fs::path sql = folder_ / "sql";
  fs::create_directory(sql);
  fs::copy_file(kSqlFolder / "0001_initial.sql", sql / "0001_initial.sql");
  const fs::path second = folder_ / "0002_fill.sql";
  write_bytes(second,
              "CREATE TABLE filler (bytes TEXT) STRICT;"
              "INSERT INTO filler WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
              "WHERE i < 4000) SELECT hex(randomblob(50)) FROM n;"
              "CREATE INDEX by_bytes ON filler (bytes);");
  std::mt19937 random(kSeed);
  std::uniform_int_distribution<int> life_us(0, 60000);
  std::array<int, 2> seen{};
  for (int round = 0; round < 20; ++round) {
    fs::remove(sql / "0002_fill.sql");
    fs::remove(database_);
    Store::open(database_, sql).add_run(done_run("r-1"), some_contents());
    fs::copy_file(second, sql / "0002_fill.sql");
    const pid_t child = start_child([&] { return Store::open(database_, sql).schema_version(); });
    std::this_thread::sleep_for(std::chrono::microseconds(life_us(random)));
    ::kill(child, SIGKILL);
    wait_for(child);
    const int version = SQLite::Database(database_.string()).execAndGet("PRAGMA user_version");
    ASSERT_TRUE(version == 1 || version == 2) << version;
    ++seen.at(static_cast<std::size_t>(version) - 1);
    const Store store = Store::open(database_, sql);
    EXPECT_EQ(words_of(store.check()), "");
    EXPECT_TRUE(store.find_run("r-1"));
  }
  RecordProperty("stayed", seen[0]);
  RecordProperty("migrated", seen[1]);
}

TEST_F(StoreTest, ProcessesThatCreateAndWriteAtOnceTakeTurns) {
  constexpr int kWriters = 3;
  constexpr int kRuns = 15;
  std::vector<pid_t> children;
  children.reserve(kWriters);
  for (int writer = 0; writer < kWriters; ++writer) {
    children.push_back(start_child([&] {
      Store store = open();
      for (int i = 0; i < kRuns; ++i) {
        const std::string id = fmt::format("w{}-{}", writer, i);
        store.begin_run(open_run(id));
        store.finish_run(done_run(id), contents_of_size(kFigures));
      }
      return 0;
    }));
  }
  for (const pid_t child : children) {
    EXPECT_EQ(wait_for(child), 0);
  }
  const Store store = open();
  EXPECT_EQ(store.list_runs({.limit = 1000}).size(), std::size_t{kWriters} * kRuns);
  EXPECT_EQ(words_of(store.check()), "");
}

TEST_F(StoreTest, SaysWhoHoldsTheLock) {
  Store store = open_impatient();
  std::array<int, 2> ready{};
  ASSERT_EQ(::pipe(ready.data()), 0);
  const pid_t child = start_child([&] {
    SQLite::Database other(database_.string(), SQLite::OPEN_READWRITE);
    other.exec("BEGIN IMMEDIATE");
    if (::write(ready[1], "x", 1) != 1) {
      return 1;
    }
    ::pause();
    return 0;
  });
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  const base::Error error = error_of([&] { store.begin_run(open_run("R-0600")); });
  EXPECT_EQ(error.exit_code(), base::ExitCode::error);
  const std::string message = error.message(base::Language::en);
  for (const std::string& part : {std::string("database is locked"), std::string("R-0600"),
                                  std::string("kept"), fmt::format("process {}", child)}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  EXPECT_TRUE(store.list_runs({}).empty()) << "readers go on";
  ::kill(child, SIGKILL);
  wait_for(child);
  store.begin_run(open_run("R-0600"));
}

TEST_F(StoreTest, LogStaysSmallWhileAReaderSits) {
  Store store = open();
  SQLite::Database reader(database_.string(), SQLite::OPEN_READONLY);
  reader.exec("BEGIN; SELECT count(*) FROM run");
  for (int i = 0; i < 20; ++i) {
    store.add_run(done_run(fmt::format("r-{}", i)), contents_of_size(2000));
  }
  constexpr std::uintmax_t kLimitBytes = 64U << 20U;
  EXPECT_LT(fs::file_size(database_.string() + "-wal"), kLimitBytes);
}

/// Writes until the store refuses; 0 when it did so as it should and lost nothing.
int fill_up(const fs::path& database) {
  std::size_t stored = 0;
  try {
    Store store = Store::open(database, kSqlFolder);
    for (;; ++stored) {
      store.add_run(done_run(fmt::format("r-{}", stored)), contents_of_size(500));
    }
  } catch (const base::Error& error) {
    const std::string message = error.message(base::Language::en);
    if (error.kind() != ErrorKind::environment ||
        message.find("disk is full") == std::string::npos) {
      std::fputs(message.c_str(), stderr);
      return 1;
    }
  }
  const auto store = Store::open_read_only(database, kSqlFolder);
  return store && store->list_runs({.limit = 100000}).size() == stored && stored > 0 &&
                 store->check().empty()
             ? 0
             : 2;
}

TEST_F(StoreTest, FullDiskIsAnErrorAndLosesNothing) {
  const pid_t child = start_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{.rlim_cur = 2U << 20U, .rlim_max = 2U << 20U};
    return ::setrlimit(RLIMIT_FSIZE, &limit) == 0 ? fill_up(database_) : 3;
  });
  EXPECT_EQ(wait_for(child), 0);
}

TEST_F(StoreTest, FullFileSystemIsAnErrorAndLosesNothing) {
  const fs::path disk = folder_ / "disk";
  fs::create_directory(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=3m") != 0) {
    GTEST_SKIP() << "no right to mount a small tmpfs here";
  }
  EXPECT_EQ(wait_for(start_child([&] { return fill_up(disk / "accept.db"); })), 0);
  ::umount(disk.c_str());
}

/// All that the store says of its runs; the basis of "nothing wrong was read as right".
std::string everything_in(const Store& store) {
  std::string all;
  for (const RunRecord& run : store.list_runs({})) {
    all += run.run_id + run.record_sha256 + store.find_run(run.run_id)->verdict_json;
    for (const MeasurementRecord& m : store.measurements_of(run.run_id)) {
      all += fmt::format("{} {} {};", m.metric, m.value, m.artifact.value_or("-"));
    }
    for (const FindingRecord& finding : store.findings_of(run.run_id)) {
      all += finding.text.zh + finding.reason;
    }
  }
  return all;
}

TEST_F(StoreTest, FlippedBytesAreReportedOrHarmless) {
  {
    Store store = open();
    for (int i = 0; i < 3; ++i) {
      store.add_run(done_run(fmt::format("r-{}", i)), contents_of_size(200));
    }
  }
  ASSERT_FALSE(fs::exists(database_.string() + "-wal"));
  const std::string whole = bytes_of(database_);
  const std::string expected = everything_in(*Store::open_read_only(database_, kSqlFolder));
  std::mt19937 random(kSeed);
  std::uniform_int_distribution<std::size_t> offset(0, whole.size() - 1);
  std::uniform_int_distribution<int> bit(0, 7);
  int reported = 0;
  for (int i = 0; i < 200; ++i) {
    std::string damaged = whole;
    const std::size_t place = offset(random);
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << bit(random)));
    write_bytes(database_, damaged);
    try {
      const auto store = Store::open_read_only(database_, kSqlFolder);
      if (!store || !store->check().empty()) {
        ++reported;
        continue;
      }
      EXPECT_EQ(everything_in(*store), expected) << "flip at " << place << " was not noticed";
    } catch (const base::Error& error) {
      EXPECT_NE(error.kind(), ErrorKind::bug) << error.what();
      ++reported;
    }
  }
  EXPECT_GT(reported, 100);
}

TEST_F(StoreTest, WritingIntoADamagedFileIsAnErrorOrHarmless) {
  open().add_run(done_run("r-0"), contents_of_size(500));
  const std::string whole = bytes_of(database_);
  for (std::size_t place = 4096 + 3; place < whole.size(); place += 4096) {
    std::string damaged = whole;
    damaged.replace(place, 5, "\xFF\xFF\xFF\xFF\xFF");
    write_bytes(database_, damaged);
    try {
      Store store = open();
      store.add_run(done_run("r-1"), contents_of_size(10));
    } catch (const base::Error& error) {
      EXPECT_NE(error.message(base::Language::en).find("damaged"), std::string::npos)
          << error.what();
    }
    fs::remove(database_.string() + "-wal");
    fs::remove(database_.string() + "-shm");
  }
}

}  // namespace
}  // namespace harness::store
