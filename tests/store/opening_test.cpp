// Opening, creating, migrating, backing up: what the store does with files.

#include <SQLiteCpp/Database.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/store/file_system.h"
#include "harness/store/store.h"
#include "tests/store/store_fixture.h"

namespace harness::store {
namespace {

using base::ErrorKind;

mode_t mode_of(const fs::path& path) {
  struct stat status{};
  ::stat(path.c_str(), &status);
  return status.st_mode & 07777U;
}

void execute(const fs::path& database, const std::string& sql) {
  SQLite::Database(database.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(sql);
}

TEST_F(StoreTest, MakesFolderAndFilesForAGroup) {
  const mode_t mask = ::umask(077);
  database_ = folder_ / "shared" / "accept.db";
  const Store store = open();
  ::umask(mask);
  EXPECT_EQ(mode_of(folder_ / "shared"), 02770U);
  EXPECT_EQ(mode_of(database_), 0660U);
  EXPECT_EQ(mode_of(database_.string() + "-wal"), 0660U);
  EXPECT_EQ(mode_of(database_.string() + "-shm"), 0660U);
  EXPECT_EQ(store.schema_version(), 1);
}

TEST_F(StoreTest, ReadingMakesNothing) {
  EXPECT_FALSE(Store::open_read_only(database_, kSqlFolder));
  EXPECT_FALSE(Store::open_read_only(folder_ / "no" / "accept.db", kSqlFolder));
  EXPECT_TRUE(fs::is_empty(folder_));
  write_bytes(database_, "");
  EXPECT_FALSE(Store::open_read_only(database_, kSqlFolder));
  EXPECT_EQ(fs::file_size(database_), 0U);
}

TEST_F(StoreTest, ReaderCannotWrite) {
  open();
  std::optional<Store> store = Store::open_read_only(database_, kSqlFolder);
  ASSERT_TRUE(store);
  EXPECT_TRUE(store->list_runs({}).empty());
  EXPECT_EQ(error_of([&] { store->begin_run(open_run("r-1")); }).kind(), ErrorKind::environment);
}

TEST_F(StoreTest, RefusesANewerSchemaWithAdvice) {
  open();
  execute(database_, "PRAGMA user_version = 7");
  const std::string before = bytes_of(database_);
  for (const base::Error& error : {error_of([&] { open(); }), error_of([&] {
                                     Store::open_read_only(database_, kSqlFolder);
                                   })}) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(error.parts().happened.en.find("number 7"), std::string::npos);
    EXPECT_NE(error.parts().next.en.find("upgrade accept"), std::string::npos);
  }
  EXPECT_EQ(bytes_of(database_), before);
}

TEST_F(StoreTest, RefusesTheDatabaseOfAnotherProgram) {
  execute(database_, "CREATE TABLE song (title TEXT)");
  const std::string before = bytes_of(database_);
  EXPECT_EQ(error_of([&] { open(); }).kind(), ErrorKind::usage);
  EXPECT_EQ(bytes_of(database_), before);
}

TEST_F(StoreTest, SaysWhatIsNoDatabase) {
  write_bytes(database_, std::string(8192, 'x'));
  const base::Error error = error_of([&] { open(); });
  EXPECT_EQ(error.kind(), ErrorKind::environment);
  EXPECT_NE(error.parts().happened.en.find("not a database"), std::string::npos);
  fs::remove(database_);
  fs::create_directory(database_);
  EXPECT_EQ(error_of([&] { open(); }).kind(), ErrorKind::environment);
  EXPECT_EQ(error_of([&] { Store::open_read_only(database_, kSqlFolder); }).kind(),
            ErrorKind::environment);
}

TEST_F(StoreTest, RefusesALinkInPlaceOfTheFileButFollowsLinkedFolders) {
  fs::create_directory(folder_ / "real");
  fs::create_directory_symlink(folder_ / "real", folder_ / "linked");
  database_ = folder_ / "linked" / "accept.db";
  open();
  EXPECT_TRUE(fs::exists(folder_ / "real" / "accept.db"));
  fs::create_symlink(folder_ / "real" / "accept.db", folder_ / "link.db");
  database_ = folder_ / "link.db";
  EXPECT_EQ(error_of([&] { open(); }).kind(), ErrorKind::environment);
}

TEST_F(StoreTest, OddNamesAreFileNames) {
  database_ = folder_ / "a?mode=memory #1 %41 训练.db";
  open().add_run(done_run("r-1"), {});
  EXPECT_TRUE(fs::exists(database_));
  EXPECT_TRUE(Store::open_read_only(database_, kSqlFolder)->find_run("r-1"));
}

class MigrationTest : public StoreTest {
 protected:
  MigrationTest() : sql_(folder_ / "sql") {
    fs::create_directory(sql_);
    fs::copy_file(kSqlFolder / "0001_initial.sql", sql_ / "0001_initial.sql");
  }
  void add_second(const std::string& sql) const { write_bytes(sql_ / "0002_note.sql", sql); }

  fs::path sql_;
};

TEST_F(MigrationTest, BringsAnOlderDatabaseForward) {
  Store::open(database_, sql_).add_run(done_run("r-1"), some_contents());
  add_second("CREATE TABLE note (text TEXT NOT NULL) STRICT;");
  const base::Error error = error_of([&] { Store::open_read_only(database_, sql_); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_NE(error.parts().next.en.find("migrates"), std::string::npos);
  const Store store = Store::open(database_, sql_);
  EXPECT_EQ(store.schema_version(), 2);
  EXPECT_TRUE(store.find_run("r-1"));
  EXPECT_TRUE(store.check().empty());
}

TEST_F(MigrationTest, BrokenStepChangesNothing) {
  Store::open(database_, sql_).add_run(done_run("r-1"), {});
  add_second("CREATE TABLE note (text TEXT) STRICT; INSERT INTO nowhere VALUES (1);");
  error_of([&] { Store::open(database_, sql_); });
  fs::remove(sql_ / "0002_note.sql");
  const Store store = Store::open(database_, sql_);
  EXPECT_EQ(store.schema_version(), 1);
  EXPECT_TRUE(store.check().empty());
}

TEST_F(MigrationTest, RefusesAnIncompleteInstallation) {
  EXPECT_EQ(error_of([&] { Store::open(database_, folder_ / "none"); }).kind(),
            ErrorKind::environment);
  write_bytes(sql_ / "0003_gap.sql", "SELECT 1;");
  EXPECT_EQ(error_of([&] { Store::open(database_, sql_); }).kind(), ErrorKind::environment);
  EXPECT_FALSE(fs::exists(database_));
}

TEST_F(StoreTest, BackupIsAWholeDatabase) {
  const fs::path copy = folder_ / "backup.db";
  Store store = open();
  store.add_run(done_run("r-1"), some_contents());
  store.backup_to(copy);
  store.add_run(done_run("r-2"), {});
  const std::optional<Store> backup = Store::open_read_only(copy, kSqlFolder);
  ASSERT_TRUE(backup);
  EXPECT_TRUE(backup->find_run("r-1"));
  EXPECT_FALSE(backup->find_run("r-2"));
  EXPECT_TRUE(backup->check().empty());
  EXPECT_EQ(mode_of(copy), 0660U);
  store.backup_to(copy);
  EXPECT_TRUE(Store::open(copy, kSqlFolder).find_run("r-2")) << "replaced, and can be written";
  for (const auto& entry : fs::directory_iterator(folder_)) {
    EXPECT_NE(entry.path().extension(), ".part");
  }
}

TEST_F(StoreTest, BackupNeverReplacesAnythingElse) {
  Store store = open();
  write_bytes(folder_ / "thesis.pdf", "%PDF-1.7");
  EXPECT_EQ(error_of([&] { store.backup_to(folder_ / "thesis.pdf"); }).kind(), ErrorKind::usage);
  EXPECT_EQ(error_of([&] { store.backup_to(database_); }).kind(), ErrorKind::usage);
  EXPECT_EQ(error_of([&] { store.backup_to(folder_ / "no" / "b.db"); }).kind(),
            ErrorKind::environment);
  EXPECT_EQ(bytes_of(folder_ / "thesis.pdf"), "%PDF-1.7");
}

/// Runs `body` as a user without rights; its exit status. The fixture's folder is opened to it.
int as_nobody(const fs::path& folder, const std::function<int()>& body) {
  constexpr uid_t kNobody = 65534;
  ::chmod(folder.c_str(), 0755);
  return wait_for(start_child([&] {
    if (::getuid() == 0 &&
        (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) {
      return 98;
    }
    return body();
  }));
}

TEST_F(StoreTest, ReadsInAFolderThatCannotBeWritten) {
  open().add_run(done_run("r-1"), some_contents());
  ::chmod(database_.c_str(), 0444);
  ::chmod(folder_.c_str(), 0555);
  EXPECT_EQ(as_nobody(folder_,
                      [&] {
                        if (::getuid() != 65534) {
                          ::chmod(folder_.c_str(), 0555);
                        }
                        const auto store = Store::open_read_only(database_, kSqlFolder);
                        return store && store->find_run("r-1") && store->check().empty() ? 0 : 1;
                      }),
            0);
  ::chmod(folder_.c_str(), 0755);
}

TEST_F(StoreTest, WritingInAFolderThatCannotBeWrittenIsAnErrorWithAdvice) {
  if (::getuid() != 0) {
    GTEST_SKIP() << "needs root to become another user";
  }
  open().add_run(done_run("r-1"), {});
  EXPECT_EQ(as_nobody(folder_,
                      [&] {
                        const base::Error error = error_of([&] { open(); });
                        return error.kind() == ErrorKind::environment &&
                                       error.parts().next.en.find("owner and mode") !=
                                           std::string::npos
                                   ? 0
                                   : 1;
                      }),
            0);
  database_ = folder_ / "new.db";
  EXPECT_EQ(
      as_nobody(
          folder_,
          [&] { return error_of([&] { open(); }).exit_code() == base::ExitCode::error ? 0 : 1; }),
      0);
}

TEST(FileSystem, RefusesNetworkFileSystemsByName) {
  constexpr std::uint64_t kLustre = 0x0BD00BD0;
  constexpr std::uint64_t kNfs = 0x6969;
  constexpr std::uint64_t kCifs = 0xFFFFFFFFFF534D42;  // sign-extended
  constexpr std::uint64_t kFuse = 0x65735546;
  EXPECT_NE(unsuitable_file_system_type(kLustre)->en.find("Lustre"), std::string::npos);
  EXPECT_NE(unsuitable_file_system_type(kNfs)->en.find("local disk"), std::string::npos);
  EXPECT_NE(unsuitable_file_system_type(kCifs)->zh.find("SMB"), std::string::npos);
  EXPECT_TRUE(unsuitable_file_system_type(kFuse));
  EXPECT_NE(unsuitable_file_system_named("nfs4")->en.find("locking protocol"), std::string::npos);
  EXPECT_TRUE(unsuitable_file_system_named("fuse.sshfs"));
}

TEST(FileSystem, AcceptsLocalOnes) {
  for (const std::uint64_t local : {0xEF53ULL, 0x58465342ULL, 0x01021994ULL, 0x9123683EULL}) {
    EXPECT_FALSE(unsuitable_file_system_type(local)) << "ext4, xfs, tmpfs, btrfs";
  }
  EXPECT_FALSE(unsuitable_file_system_named("ext4"));
  EXPECT_FALSE(unsuitable_file_system("/tmp/no/such/folder/accept.db"));
}

}  // namespace
}  // namespace harness::store
