#include "harness/engine/plan.h"

#include <gtest/gtest.h>

#include "harness/base/error.h"

namespace harness::engine {
namespace {

model::Suite process_suite() {
  model::Suite suite;
  suite.name = "smoke";
  suite.launch = model::LaunchBlock{};
  suite.launch->argv = {"${PYTHON}", "${WORKLOADS}/train.py", "--out=${OUT}",
                        "literal $HOME `x` ; rm"};
  suite.launch->environment = {{"OMP_NUM_THREADS", "1"}, {"RUN_SEED", "${SEED}"}};
  suite.launch->wall_limit_s = 60;
  return suite;
}

TEST(PlanJob, FillsPlaceholdersAndNothingElse) {
  const model::Job job =
      plan_job(process_suite(),
               {{"PYTHON", "/usr/bin/python3"}, {"WORKLOADS", "/w"}, {"OUT", "/o"}, {"SEED", "7"}},
               {}, "/o");
  EXPECT_EQ(job.argv, (std::vector<std::string>{"/usr/bin/python3", "/w/train.py", "--out=/o",
                                                "literal $HOME `x` ; rm"}));
  EXPECT_EQ(job.environment.at("RUN_SEED"), "7");
}

TEST(PlanJob, NamesEveryMissingValue) {
  try {
    plan_job(process_suite(), {{"PYTHON", "python3"}}, {}, "/o");
    FAIL() << "nothing thrown";
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::usage);
    EXPECT_NE(error.message(base::Language::en).find("OUT, SEED, WORKLOADS"), std::string::npos);
  }
}

TEST(PlanJob, InheritsOnlyWhatIsAllowed) {
  const model::Job job = plan_job(
      process_suite(), {{"PYTHON", "p"}, {"WORKLOADS", "/w"}, {"OUT", "/o"}, {"SEED", "7"}},
      {{"PATH", "/bin"},
       {"AWS_SECRET_ACCESS_KEY", "x"},
       {"NCCL_DEBUG", "INFO"},
       {"OMP_NUM_THREADS", "64"}},
      "/o");
  EXPECT_FALSE(job.environment.contains("AWS_SECRET_ACCESS_KEY"));
  EXPECT_EQ(job.environment.at("NCCL_DEBUG"), "INFO");
  EXPECT_EQ(job.environment.at("OMP_NUM_THREADS"), "1");  // the suite decides
}

TEST(PlanJob, SuiteWithoutLaunchBlockSaysHowToJudge) {
  model::Suite suite;
  suite.name = "bert";
  EXPECT_THROW(plan_job(suite, {}, {}, "/o"), base::Error);
}

}  // namespace
}  // namespace harness::engine
