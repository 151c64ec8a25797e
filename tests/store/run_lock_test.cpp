#include "harness/store/run_lock.h"

#include <array>
#include <csignal>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/store/store_fixture.h"

namespace harness::store {
namespace {

const std::string kSince = "2026-12-01T01:30:00Z";

class RunLockTest : public StoreTest {
 protected:
  /// A process that takes the lock, says so and waits for its end.
  pid_t start_holder(const std::string& cluster) {
    std::array<int, 2> ready{};
    EXPECT_EQ(::pipe(ready.data()), 0);
    const pid_t child = start_child([&] {
      const auto lock = try_run_lock(database_, cluster, "r-1", kSince);
      if (!std::holds_alternative<RunLock>(lock) || ::write(ready[1], "x", 1) != 1) {
        return 1;
      }
      ::pause();
      return 0;
    });
    char byte = 0;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    ::close(ready[0]);
    ::close(ready[1]);
    return child;
  }
  bool can_lock(const std::string& cluster) {
    return std::holds_alternative<RunLock>(try_run_lock(database_, cluster, "r-2", kSince));
  }
};

TEST_F(RunLockTest, NamesItsHolder) {
  const pid_t child = start_holder("prod-a");
  const auto lock = try_run_lock(database_, "prod-a", "r-2", kSince);
  ASSERT_TRUE(std::holds_alternative<LockHolder>(lock));
  const auto& holder = std::get<LockHolder>(lock);
  EXPECT_EQ(holder.process.pid, child);
  EXPECT_EQ(holder.run_id, "r-1");
  EXPECT_EQ(holder.since_utc, kSince);
  const base::Error error = busy_error(database_, holder);
  EXPECT_EQ(error.exit_code(), base::ExitCode::busy);
  EXPECT_NE(error.message(base::Language::en).find("run r-1"), std::string::npos);
  EXPECT_TRUE(can_lock("prod-b")) << "each cluster has its own";
  ::kill(child, SIGKILL);
  wait_for(child);
}

TEST_F(RunLockTest, IsFreeOnceItsHolderIsKilled) {
  const pid_t child = start_holder("prod-a");
  ::kill(child, SIGKILL);
  wait_for(child);
  EXPECT_FALSE(bytes_of(lock_file(database_, "prod-a")).empty()) << "the dead one's words remain";
  const auto lock = try_run_lock(database_, "prod-a", "r-2", kSince);
  ASSERT_TRUE(std::holds_alternative<RunLock>(lock));
  EXPECT_NE(bytes_of(lock_file(database_, "prod-a")).find("run_id r-2"), std::string::npos);
}

TEST_F(RunLockTest, EndsWithItsObject) {
  EXPECT_TRUE(can_lock("prod-a"));
  EXPECT_TRUE(can_lock("prod-a"));
  EXPECT_TRUE(bytes_of(lock_file(database_, "prod-a")).empty());
}

TEST_F(RunLockTest, IsNotInheritedByPrograms) {
  pid_t sleeper = 0;
  {
    const auto lock = try_run_lock(database_, "prod-a", "r-1", kSince);
    ASSERT_TRUE(std::holds_alternative<RunLock>(lock));
    sleeper = start_child([] { return ::execlp("sleep", "sleep", "60", nullptr); });
    ::usleep(50000);
  }
  EXPECT_TRUE(can_lock("prod-a"));
  ::kill(sleeper, SIGKILL);
  wait_for(sleeper);
}

TEST_F(RunLockTest, NamesTheRunOfANight) {
  auto lock = try_run_lock(database_, "prod-a", "r-1", kSince);
  std::get<RunLock>(lock).name_run("r-2", kSince);
  const auto second = try_run_lock(database_, "prod-a", "r-3", kSince);
  ASSERT_TRUE(std::holds_alternative<LockHolder>(second)) << "not even the same process twice";
  EXPECT_EQ(std::get<LockHolder>(second).run_id, "r-2");
}

TEST_F(RunLockTest, OneOfManyGetsIt) {
  std::vector<pid_t> children;
  std::array<int, 2> gate{};
  ASSERT_EQ(::pipe(gate.data()), 0);
  constexpr int kCompetitors = 8;
  children.reserve(kCompetitors);
  for (int i = 0; i < kCompetitors; ++i) {
    children.push_back(start_child([&] {
      ::close(gate[1]);
      char byte = 0;
      static_cast<void>(::read(gate[0], &byte, 1));
      const auto lock = try_run_lock(database_, "prod-a", "r-1", kSince);
      ::usleep(300000);
      return std::holds_alternative<RunLock>(lock) ? 0 : 5;
    }));
  }
  ::close(gate[0]);
  ::close(gate[1]);
  int winners = 0;
  for (const pid_t child : children) {
    winners += wait_for(child) == 0 ? 1 : 0;
  }
  EXPECT_EQ(winners, 1);
}

TEST_F(RunLockTest, AnyClusterNameGivesAFileBesideTheDatabase) {
  EXPECT_EQ(lock_file(database_, "prod-a").filename(), "accept.db.run-prod-a.lock");
  for (const std::string name : {"", "../../etc/x", "训练", "a\nb"}) {
    EXPECT_EQ(lock_file(database_, name).parent_path(), folder_);
    EXPECT_TRUE(can_lock(name)) << name;
  }
  EXPECT_NE(lock_file(database_, "a/b"), lock_file(database_, "a/c"));
}

TEST_F(RunLockTest, MissingFolderIsAnError) {
  database_ = folder_ / "no" / "accept.db";
  EXPECT_EQ(error_of([&] { can_lock("prod-a"); }).kind(), base::ErrorKind::environment);
}

TEST(ProcessIdentity, TellsALaterProcessOfTheSameNumberApart) {
  ProcessIdentity process = this_process();
  EXPECT_TRUE(is_running(process));
  process.start_ticks += 1;
  EXPECT_FALSE(is_running(process));
  process = this_process();
  process.boot_id = "another boot";
  EXPECT_FALSE(is_running(process));
  EXPECT_FALSE(is_running({}));
}

}  // namespace
}  // namespace harness::store
