#include "harness/base/error.h"

#include <array>
#include <cerrno>

#include <gtest/gtest.h>

namespace harness::base {
namespace {

TEST(GraverExitCode, FollowsThePublishedOrder) {
  // 2 > 70 > 128+n > 1 > 4 > 3 > 0
  constexpr std::array kGravestFirst{2, 70, 130, 1, 4, 3, 0};
  for (std::size_t i = 0; i < kGravestFirst.size(); ++i) {
    for (std::size_t j = i; j < kGravestFirst.size(); ++j) {
      EXPECT_EQ(graver_exit_code(kGravestFirst.at(i), kGravestFirst.at(j)), kGravestFirst.at(i));
      EXPECT_EQ(graver_exit_code(kGravestFirst.at(j), kGravestFirst.at(i)), kGravestFirst.at(i));
    }
  }
}

TEST(Error, SaysWhatOnWhatWhyAndWhatNext) {
  const Error error(ErrorKind::usage,
                    {.tried = {"read the suite", "读取套件"},
                     .on = "x.json:3",
                     .happened = {"unknown key", "未知的键"},
                     .next = {"did you mean \"limit\"?", "是否想写 \"limit\"？"}});
  EXPECT_EQ(error.message(Language::en),
            "cannot read the suite 'x.json:3': unknown key\n  next: did you mean \"limit\"?");
  EXPECT_EQ(error.message(Language::zh),
            "无法读取套件 'x.json:3'：未知的键\n  下一步：是否想写 \"limit\"？");
  EXPECT_EQ(error.exit_code(), ExitCode::usage);
}

TEST(Error, KindsHaveTheirExitCodes) {
  EXPECT_EQ(Error(ErrorKind::environment, {}).exit_code(), ExitCode::error);
  EXPECT_EQ(Error(ErrorKind::busy, {}).exit_code(), ExitCode::busy);
  EXPECT_EQ(Error(ErrorKind::bug, {}).exit_code(), ExitCode::bug);
}

TEST(SystemErrorText, SpeaksBothLanguages) {
  EXPECT_EQ(system_error_text(ENOSPC).en, "No space left on device");
  EXPECT_EQ(system_error_text(ENOSPC).zh, "磁盘空间已满");
}

}  // namespace
}  // namespace harness::base
