// `starpath profile` and `starpath estimate` as a user runs them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/apps/command.hpp"

namespace starpath {
namespace {

using nlohmann::json;
using test::shell;

class ProfileCommand : public ::testing::Test {
 protected:
  std::string profile() const { return folder / "my.profile"; }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }

  /// Two codelets; a GPU whose speedup grows with the width, and which never ran `rare`.
  void import() const {
    std::string text = "codelet,class,seconds,width,category:implementation\n";
    for (int width = 1; width <= 40; ++width) {
      const double cpu = width * 0.01;
      text += "blur,cpu," + std::to_string(cpu) + "," + std::to_string(width) + ",0\n";
      text += "blur,gpu," + std::to_string(cpu / (1 + width * 0.1)) + "," + std::to_string(width) + ",0\n";
    }
    text += "rare,cpu,2,7,0\n";
    write("samples.csv", text);
    const auto done = shell("starpath profile import " + (folder / "samples.csv") + " --profile " + profile());
    ASSERT_EQ(done.code, 0) << done.output;
    EXPECT_NE(done.output.find("81 samples imported"), std::string::npos) << done.output;
  }

  test::TemporaryFolder folder;
};

TEST_F(ProfileCommand, HelpTeaches) {
  for (const char* command :
       {"profile", "profile run", "profile import", "profile list", "profile show", "profile prune", "estimate"}) {
    const auto help = shell(std::string("starpath ") + command + " --help");
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_NE(help.output.find("profile"), std::string::npos) << help.output;
  }
}

TEST_F(ProfileCommand, RunMeasuresAnyProgram) {
  const std::string line = "STARPU_NCPU=2 starpath profile run --profile " + profile() + " -- " STARPATH_OUTSIDE_APP;
  const auto first = shell(line);
  ASSERT_EQ(first.code, 0) << first.output;
  EXPECT_NE(first.output.find("tasks measured into " + profile()), std::string::npos) << first.output;
  ASSERT_EQ(shell(line).code, 0);
  const auto list = json::parse(shell("starpath profile list --json --profile " + profile()).output);
  ASSERT_FALSE(list.empty());
  EXPECT_EQ(list[0]["class"], "cpu");
  EXPECT_GT(list[0]["samples"], 0);
  EXPECT_GE(list[0]["measured"], list[0]["samples"]);
}

TEST_F(ProfileCommand, RunSaysWhatWentWrong) {
  const std::string line = "starpath profile run --profile " + profile() + " ";
  const auto nothing = shell(line + "-- true");
  EXPECT_EQ(nothing.code, 7);
  EXPECT_NE(nothing.output.find("no task was measured"), std::string::npos) << nothing.output;
  EXPECT_EQ(shell(line + "-- sh -c 'exit 9'").code, 9);
  EXPECT_EQ(shell(line + "-- /no/such/program").code, 127);
  EXPECT_EQ(shell(line + "--policy dmda -- true").code, 2);
  EXPECT_EQ(shell(line).code, 2);
  write("my.profile", "no profile at all" + std::string(500, '.'));
  EXPECT_EQ(shell(line + "-- touch " + (folder / "ran")).code, 5);
  EXPECT_FALSE(std::filesystem::exists(folder / "ran"));
}

TEST_F(ProfileCommand, ShowPrintsWhatImportReads) {
  import();
  const auto shown = shell("starpath profile show blur --json --profile " + profile());
  ASSERT_EQ(shown.code, 0) << shown.output;
  const auto samples = json::parse(shown.output);
  ASSERT_EQ(samples.size(), 80U);
  EXPECT_EQ(samples[0]["numeric"]["width"], 1);
  write("again.json", shown.output);
  const std::string copy = folder / "copy.profile";
  ASSERT_EQ(shell("starpath profile import " + (folder / "again.json") + " --profile " + copy).code, 0);
  EXPECT_EQ(json::parse(shell("starpath profile show blur --json --profile " + copy).output), samples);
}

TEST_F(ProfileCommand, ImportsCellsInQuotes) {
  write("quoted.csv",
        "\"codelet\",class,seconds,\"width, px\",n\r\n\"a, \"\"b\"\"\",  cpu ,0.5,3,\r\n\r\n\"c,d,\",cpu,1,,4\r\n");
  const auto done = shell("starpath profile import " + (folder / "quoted.csv") + " --profile " + profile());
  ASSERT_EQ(done.code, 0) << done.output;
  const auto show = [&](const std::string& codelet) {
    return json::parse(shell("starpath profile show '" + codelet + "' --json --profile " + profile()).output);
  };
  EXPECT_EQ(show("a, \"b\"")[0]["class"], "  cpu ");
  EXPECT_EQ(show("a, \"b\"")[0]["numeric"], json({{"width, px", 3}}));
  EXPECT_EQ(show("c,d,")[0]["numeric"], json({{"n", 4}}));
}

TEST_F(ProfileCommand, ImportsFilesWithAByteOrderMark) {
  write("marked.csv",
        "\xef\xbb\xbf"
        "codelet,class,seconds,width\nblur,cpu,1,2\n");
  write("marked.json",
        "\xef\xbb\xbf"
        R"([{"codelet":"blur","class":"cpu","seconds":2,"numeric":{"width":3}}])");
  for (const char* name : {"marked.csv", "marked.json"}) {
    const auto done = shell("starpath profile import " + (folder / name) + " --profile " + profile());
    EXPECT_EQ(done.code, 0) << done.output;
  }
  EXPECT_EQ(json::parse(shell("starpath profile show blur --json --profile " + profile()).output).size(), 2U);
}

TEST_F(ProfileCommand, EstimatesByTheNearestSamples) {
  import();
  const std::string ask = "starpath estimate --profile " + profile() + " --json ";
  const auto at = json::parse(shell(ask + "blur width=10.4 --k 1").output);
  ASSERT_EQ(at.size(), 2U);
  EXPECT_EQ(at[0]["class"], "cpu");
  EXPECT_NEAR(at[0]["seconds"], 0.10, 1e-9);
  EXPECT_NEAR(at[1]["speedup"], 2.0, 1e-4);
  const auto many = json::parse(shell(ask + "blur width=10 --k 64").output);  // k larger than the samples: all of them
  EXPECT_NEAR(many[0]["seconds"], 0.205, 1e-6);
  const auto rare = json::parse(shell(ask + "rare width=-1e9").output);  // one class without samples; far and negative
  ASSERT_EQ(rare.size(), 1U);
  EXPECT_EQ(rare[0]["seconds"], 2);
  EXPECT_TRUE(json::parse(shell(ask + "blur width=1 --baseline tpu").output)[0]["speedup"].is_null());
}

TEST_F(ProfileCommand, EstimateOfATaskFartherThanNumbersReachIsUnknown) {
  import();
  const std::string ask = "starpath estimate blur width=1e300 --profile " + profile();
  const auto table = shell(ask);
  EXPECT_EQ(table.code, 0) << table.output;
  EXPECT_NE(table.output.find("     unknown   unknown       40"), std::string::npos) << table.output;
  const auto rows = json::parse(shell(ask + " --json").output);
  EXPECT_TRUE(rows.at(0).at("seconds").is_null());
}

TEST_F(ProfileCommand, EstimateSaysWhatItNeeds) {
  import();
  const std::string ask = "starpath estimate --profile " + profile() + " ";
  const std::pair<const char*, const char*> cases[] = {{"blur", "width=NUMBER is missing"},
                                                       {"blur height=3", "codelet 'blur' has width"},
                                                       {"blur width=nan", "expected NAME=NUMBER"},
                                                       {"blur width=", "expected NAME=NUMBER"},
                                                       {"sharpen width=3", "it has blur, rare"},
                                                       {"", "name a CODELET"},
                                                       {"blur width=3 --k 0", "from 1 to 64"},
                                                       {"--cross-validate --k 8..1", "from 1 to 64"},
                                                       {"blur width=1e999", "expected NAME=NUMBER"},
                                                       {"blur width=3 implementation=1e30", "expected NAME=INTEGER"},
                                                       {"blur width=3 implementation=0.5", "expected NAME=INTEGER"},
                                                       {"blur width=3 --k 1..", "from 1 to 64"},
                                                       {"blur width=3 --k 1..99999999999999999999", "from 1 to 64"}};
  for (const auto& [arguments, answer] : cases) {
    const auto said = shell(ask + arguments);
    EXPECT_EQ(said.code, 2) << arguments << ": " << said.output;
    EXPECT_NE(said.output.find(answer), std::string::npos) << arguments << ": " << said.output;
  }
  for (const char* command : {"estimate blur width=3", "estimate --cross-validate", "profile list", "profile show blur",
                              "profile prune --keep 1"})
    test::expect_one_line(shell(std::string("starpath ") + command + " --profile " + (folder / "none")), 3,
                          {"no such file; check the path, or make it by `starpath profile run`"});
  test::expect_one_line(shell("starpath profile list --profile " + (folder / "")), 5,
                        {"is a folder; give --profile a file that "});
}

TEST_F(ProfileCommand, CrossValidationSetsThePapersErrorsBesideOurs) {
  const std::string rows =
      "codelet,class,seconds,n\nknn,cpu,1,1\nknn,cpu,2,2\nknn,cpu,3,3\nknn,gpu,.1,1\nknn,gpu,.1,2\n";
  ASSERT_EQ(shell("printf '" + rows + "' | starpath profile import - --profile " + profile()).code, 0);
  const auto table = shell("starpath estimate --cross-validate --profile " + profile());
  EXPECT_NE(table.output.find("% (8.8)"), std::string::npos) << table.output;
  EXPECT_NE(table.output.find("% (21.2)"), std::string::npos) << table.output;
  EXPECT_NE(table.output.find("In brackets: Table 1 of anthill-2010"), std::string::npos) << table.output;
}

TEST_F(ProfileCommand, CrossValidationPrintsErrorsOfEachCodelet) {
  import();
  const std::string ask = "starpath estimate --cross-validate --profile " + profile();
  const auto rows = json::parse(shell(ask + " --k 1..8 --json").output);
  ASSERT_EQ(rows.size(), 16U);
  for (const auto& row : rows) {
    if (row["codelet"] == "rare") {
      EXPECT_TRUE(row["speedup_error_percent"].is_null());
      continue;
    }
    // The speedup varies less than the time: easier to estimate, as the paper finds.
    EXPECT_GT(row["speedup_error_percent"], 0);
    EXPECT_LT(row["speedup_error_percent"], row["time_error_percent"]);
  }
  const auto table = shell(ask);
  EXPECT_NE(table.output.find("speedup error"), std::string::npos);
  EXPECT_EQ(table.output.find("In brackets"), std::string::npos) << "no application of the paper is here";
  EXPECT_NE(table.output.find("unknown"), std::string::npos);
}

TEST_F(ProfileCommand, CrossValidationEstimatesEachOfSeveralProfilesFromTheOthers) {
  const std::string a = folder / "a.profile", b = folder / "b.profile";
  const auto make = [&](const std::string& file, const std::string& seconds, const std::string& first) {
    const std::string rows = "codelet,class,seconds,n\nblur,cpu," + seconds + "," + first + "1\nblur,cpu," + seconds +
                             "," + first + "2\nrest,cpu,8,1\n";
    return shell("printf '" + rows + "' | starpath profile import - --profile " + file).code;
  };
  ASSERT_EQ(make(a, "1", ""), 0);
  ASSERT_EQ(make(b, "3", "1"), 0);
  const std::string both = " --profile " + a + " --profile " + b;
  const auto rows = json::parse(shell("starpath estimate blur --cross-validate --json" + both).output);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0]["samples"], 4);
  EXPECT_NEAR(rows[0]["share_of_time_percent"].get<double>(), 100.0 * 8 / 24, 1e-9);
  EXPECT_NEAR(rows[0]["time_error_percent"].get<double>(), 100 * (2 + 2.0 / 3) / 2, 1e-9);
  const auto refused = shell("starpath estimate blur n=1" + both);
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.output.find("several --profile go with --cross-validate alone"), std::string::npos)
      << refused.output;
}

TEST_F(ProfileCommand, LearnersAreSetSideBySide) {
  import();
  const std::string ask = "starpath estimate --cross-validate --profile " + profile() + " --learner ";
  const auto rows = json::parse(shell(ask + "knn,linear," STARPATH_EXAMPLE_ESTIMATOR " --json").output);
  ASSERT_EQ(rows.size(), 9U);  // blur on cpu and gpu, rare on cpu
  const std::array<const char*, 3> learners = {"knn", "linear", STARPATH_EXAMPLE_ESTIMATOR};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(rows[i]["codelet"], "blur");
    EXPECT_EQ(rows[i]["class"], i < 3 ? "cpu" : "gpu");
    EXPECT_EQ(rows[i]["samples"], 40);
    EXPECT_EQ(rows[i]["learner"], learners[i % 3]);
    EXPECT_GT(rows[i]["time_error_percent"], 0);
    EXPECT_GT(rows[i]["stated_time_error_percent"], 0);
    EXPECT_EQ(rows[i]["speedup_error_percent"].is_null(), i < 3);
  }
  // The same errors of kNN as without --learner.
  const auto alone = json::parse(shell("starpath estimate blur --cross-validate --json --profile " + profile()).output);
  EXPECT_EQ(rows[3]["speedup_error_percent"], alone[0]["speedup_error_percent"]);
  EXPECT_NEAR((rows[0]["time_error_percent"].get<double>() + rows[3]["time_error_percent"].get<double>()) / 2,
              alone[0]["time_error_percent"].get<double>(), 1e-9);
  const auto table = shell(ask + "knn,linear --k 1..2");
  EXPECT_NE(table.output.find("knn (k = 2)"), std::string::npos) << table.output;
  EXPECT_NE(table.output.find("linear"), std::string::npos) << table.output;
}

TEST_F(ProfileCommand, EstimatesByOtherLearners) {
  import();
  const std::string ask = "starpath estimate blur width=10 --profile " + profile() + " --json --learner ";
  const auto linear = json::parse(shell(ask + "linear").output);
  EXPECT_NEAR(linear[0]["seconds"], 0.1, 0.03);
  EXPECT_GT(linear[0]["error_percent"], 0);
  EXPECT_EQ(json::parse(shell(ask + STARPATH_FAULTY_ESTIMATOR).output)[0]["seconds"], 0.125);
  const auto several = shell(ask + "knn,linear");
  EXPECT_EQ(several.code, 2);
  EXPECT_NE(several.output.find("several --learner go with --cross-validate alone"), std::string::npos);
}

TEST_F(ProfileCommand, ALibraryThatFailsEndsTheCommand) {
  import();
  for (const char* what : {"blur width=3", "--cross-validate"}) {
    const std::string ask = std::string("starpath estimate ") + what + " --profile " + profile() + " --learner ";
    const std::pair<std::string, std::pair<int, std::string>> cases[] = {
        {ask + "mine.so", {2, "--learner mine.so: expected knn, linear or the path of a library, with a slash"}},
        {ask + "./missing.so", {3, "estimator ./missing.so: cannot be loaded ("}},
        {"STARPATH_TEST_FAULT='other version' " + ask + STARPATH_FAULTY_ESTIMATOR, {3, "was built with version 2 of"}},
        {"STARPATH_TEST_FAULT='throws in load' " + ask + STARPATH_FAULTY_ESTIMATOR, {3, "while it is loaded, after"}},
        {"STARPATH_TEST_FAULT='throws in learn' " + ask + STARPATH_FAULTY_ESTIMATOR, {3, "'learn' threw an exception"}},
        {"STARPATH_TEST_FAULT=nan " + ask + STARPATH_FAULTY_ESTIMATOR, {3, "'estimate' estimated nan seconds"}}};
    for (const auto& [command, expected] : cases) {
      const auto ran = shell(command);
      EXPECT_EQ(ran.code, expected.first) << ran.output;
      EXPECT_NE(ran.output.find(expected.second), std::string::npos) << ran.output;
      EXPECT_EQ(std::ranges::count(ran.output, '\n'), 1) << ran.output;
    }
  }
}

TEST_F(ProfileCommand, PruneKeepsSoManyOfEach) {
  import();
  EXPECT_EQ(json::parse(shell("starpath profile prune --keep 5 --json --profile " + profile()).output)["removed"], 70);
  for (const auto& row : json::parse(shell("starpath profile list --json --profile " + profile()).output))
    EXPECT_LE(row["samples"], 5);
}

TEST_F(ProfileCommand, ABadImportIsNamedAndAddsNothing) {
  import();
  const std::string header = "codelet,class,seconds,width\n";
  const std::pair<std::string, std::string> cases[] = {
      {"a,b,c\n", ":1: the header has no column 'codelet'"},
      {header + "blur,cpu,1\n", ":2: 3 cells under a header of 4"},
      {header + "blur,cpu,1,2\nblur,cpu,-1,2\n", ":3: 'seconds'"},
      {header + "blur,cpu,nan,2\n", ":2: 'seconds'"},
      {header + "blur,cpu,1,inf\n", ":2: 'width' is not a finite number"},
      {header + "blur,cpu,1,wide\n", ":2: 'wide' is no number: width"},
      {"codelet,class,seconds,height\nblur,cpu,1,2\n", "is 'width' in the profile and 'height' in the file"},
      {header + "blur,cpu,1,2\nbl\xfcr,cpu,1,2\n", ":3: is not UTF-8"},
      {header + "blur,cpu,1,2\n\"blur,cpu,1,2\n", ":3: has a double quote that is not closed"},
      {"codelet,class,seconds,w,w\nblur,cpu,1,2,3\n", ":1: the header has two columns 'w'"},
      {header, "holds no samples"},
      {"[{\"codelet\": \"blur\"}]", ": sample 1: "},
      {"{\"codelet\": 1}", "is no JSON array"}};
  const std::string before = shell("starpath profile list --profile " + profile()).output;
  for (const auto& [text, answer] : cases) {
    write("bad", text);
    const auto said = shell("starpath profile import " + (folder / "bad") + " --profile " + profile());
    EXPECT_TRUE(said.code == 3 || said.code == 5) << text << said.output;
    EXPECT_NE(said.output.find(answer), std::string::npos) << text << said.output;
    EXPECT_EQ(std::count(said.output.begin(), said.output.end(), '\n'), 1) << said.output;
  }
  EXPECT_EQ(shell("starpath profile list --profile " + profile()).output, before);
}

TEST_F(ProfileCommand, AMachineHasAProfileOfItsOwn) {
  const std::string machine = "export STARPATH_PROFILE= XDG_DATA_HOME=" + (folder / "data") + " STARPU_NCPU=2; ";
  const auto run = [&](const std::string& policy, const std::string& more) {
    const auto outcome = shell(machine + "eval \"$(starpath env " + policy + ")\"; " + more +
                               " " STARPATH_OUTSIDE_APP " 2>&1 >/dev/null");
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    return outcome.output;
  };
  const auto measured = [&] {
    const auto list = shell(machine + "starpath profile list --json");
    std::uint64_t sum = 0;
    for (const auto& group : json::parse(list.output)) sum += group["measured"].get<std::uint64_t>();
    return sum;
  };
  test::expect_one_line(shell(machine + "starpath profile list"), 3, {"data/starpath/", ".profile: no such file"});
  run("fcfs", "");                              // asks for no estimates
  run("apex", "STARPATH_PROFILE=none");         // was told not to
  run("apex", "STARPATH_CLASSES=one=0:two=1");  // of these names nobody knows what they mean next time
  EXPECT_EQ(shell(machine + "starpath profile list").code, 3);
  EXPECT_EQ(run("apex", "").find("starpath:"), std::string::npos);
  const std::uint64_t first = measured();
  EXPECT_GT(first, 0U);
  EXPECT_EQ(run("apex", "").find("starpath:"), std::string::npos);
  EXPECT_GT(measured(), first);
  const std::string trouble = run("apex", "XDG_DATA_HOME=/proc/nowhere");
  EXPECT_NE(trouble.find("what this run measured is not kept"), std::string::npos) << trouble;
  EXPECT_EQ(trouble.find("starpath:"), trouble.rfind("starpath:")) << trouble;
  test::expect_one_line(shell("STARPATH_PROFILE=none starpath profile list"), 2, {"give --profile a file"});
}

}  // namespace
}  // namespace starpath
