// Help, version, and the small commands.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "sched_policies/options/option_table.hpp"
#include "sched_policies/policies/policy_table.hpp"
#include "tests/apps/command.hpp"

namespace starpath {
namespace {

using test::shell;

TEST(CommandLine, HelpTeaches) {
  const auto all = shell("starpath --help");
  EXPECT_EQ(all.code, 0);
  for (const char* word : {"segment", "nbia", "info", "policies", "Examples", "Exit codes"})
    EXPECT_NE(all.output.find(word), std::string::npos) << word;
  const auto segment = shell("starpath segment --help");
  EXPECT_EQ(segment.code, 0);
  for (const char* word :
       {"--out", "--policy", "--window", "--tile", "--halo", "--mpp", "--roi", "--resume", "--export", "QuPath"})
    EXPECT_NE(segment.output.find(word), std::string::npos) << word;
}

TEST(CommandLine, EachHelpHasExamplesOfItsOwn) {
  for (const std::string command : {"segment", "export", "cluster", "cohort", "report", "preview", "info", "tissue",
                                    "verify", "policies", "env", "estimate", "compare", "loop", "workflow"}) {
    const auto help = shell("starpath " + command + " --help");
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_NE(help.output.find("starpath " + command, help.output.find("Example")), std::string::npos) << command;
    EXPECT_EQ(help.output.find("Exit codes: 0 done"), std::string::npos) << command << " has the help of all commands";
    EXPECT_EQ(help.output.find("->"), std::string::npos) << command << " shows values of the program's own";
    EXPECT_EQ(help.output.find("{false}"), std::string::npos) << command;
  }
}

TEST(CommandLine, NbiaHelpTeachesAndWarns) {
  const auto nbia = shell("starpath nbia --help");
  EXPECT_EQ(nbia.code, 0);
  for (const char* word : {"run", "train", "evaluate", "NOT for diagnosis", "Examples"})
    EXPECT_NE(nbia.output.find(word), std::string::npos) << word;
  const auto run = shell("starpath nbia run --help");
  for (const char* word : {"--model", "--levels", "--recalc-rate", "--resume", "map.png", "docs/nbia.md"})
    EXPECT_NE(run.output.find(word), std::string::npos) << word;
  EXPECT_EQ(shell("starpath nbia").code, 2);
}

TEST(CommandLine, EnvHelpShowsLinesToCopy) {
  const auto help = shell("starpath env --help");
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.output.find("eval \"$(starpath env apex)\""), std::string::npos) << help.output;
  EXPECT_NE(help.output.find("starpath env apex --shell fish | source"), std::string::npos) << help.output;
}

TEST(CommandLine, EnvTakesThePolicyThatIsAdvised) {
  EXPECT_EQ(shell("starpath env").output, shell("starpath env apex").output);
}

TEST(CommandLine, Version) { EXPECT_EQ(shell("starpath --version").output, "starpath " STARPATH_VERSION "\n"); }

TEST(CommandLine, WrongUsageIsCodeTwo) {
  EXPECT_EQ(shell("starpath").code, 2);
  EXPECT_EQ(shell("starpath dance").code, 2);
  EXPECT_EQ(shell("starpath segment").code, 2);
  EXPECT_EQ(shell("starpath segment x --out y --export pdf").code, 2);
  const auto linkage = shell("starpath cohort x --linkage single");
  EXPECT_EQ(linkage.code, 2);
  EXPECT_NE(linkage.output.find("single not in {ward,average}"), std::string::npos) << linkage.output;
}

TEST(CommandLine, NamesInSquareBracketsAreNoLists) {
  for (const std::string name : {"[a]", "[a,b]"}) {
    for (const char* command :
         {"segment --out out ", "classify train --annotations a -- ", "nbia train --out m ",
          "nbia train synthetic:512x512 --annotations ", "nbia train synthetic:512x512 --annotations="})
      test::expect_one_line(shell("starpath " + std::string(command) + "'" + name + "'"), 3, {"starpath: " + name});
    test::expect_one_line(shell("starpath info a '" + name + "'"), 2, {"not expected: " + name + ";"});
  }
  const test::TemporaryFolder folder;
  test::expect_says(shell("starpath profile run --profile " + folder / "p" + " -- echo --x='[a]' '[a,b]'"), 7,
                    {"--x=[a] [a,b]\n"});
}

TEST(CommandLine, AnEmptyValueIsWrongUsage) {
  for (const char* command :
       {"segment x --out out --exclude", "segment x --out", "nbia run x --out out --model", "info",
        "export x --format csv --out", "compare segment x --html", "segment x --out o --export"})
    test::expect_one_line(shell("starpath " + std::string(command) + " ''"), 2, {": is empty; leave it out or give"});
  test::expect_one_line(shell("starpath segment x --out= out"), 2, {"--out: is empty; leave it out or give"});
  const test::TemporaryFolder folder;
  test::expect_says(shell("starpath profile run --profile " + folder / "p" + " -- echo --x= y"), 7, {"--x= y\n"});
}

TEST(CommandLine, PoliciesListsOursAndStarPUs) {
  const auto run = shell("starpath policies --json");
  ASSERT_EQ(run.code, 0) << run.output;
  const auto out = nlohmann::json::parse(run.output);
  const auto has = [&](const std::string& name, bool ours) {
    for (const auto& policy : out["policies"])
      if (policy["name"] == name && policy["starpath"] == ours && policy["description"].get<std::string>().size() > 10)
        return true;
    return false;
  };
  for (const PolicyInfo& policy : policy_table()) EXPECT_TRUE(has(std::string(policy.name), true)) << policy.name;
  EXPECT_TRUE(has("dmda", false));
  const std::map<std::string, std::string> estimators = {
      {"fcfs", ""}, {"pats", "knn"}, {"apex", "knn+perfmodel"}, {"dmda", ""}};
  for (const auto& policy : out["policies"]) {
    const auto found = estimators.find(policy["name"]);
    if (found == estimators.end()) continue;
    EXPECT_EQ(policy["estimator"], found->second) << found->first;
  }
  EXPECT_NE(shell("starpath policies").output.find("STARPU_SCHED_LIB"), std::string::npos);
}

TEST(CommandLine, PoliciesListsTheOptions) {
  const auto text = shell("starpath policies").output;
  const auto options = nlohmann::json::parse(shell("starpath policies --json").output)["options"];
  ASSERT_EQ(options.size(), option_table().size());
  for (std::size_t i = 0; i < options.size(); ++i) {
    const OptionInfo& option = option_table()[i];
    EXPECT_EQ(options[i]["variable"], option.variable);
    EXPECT_EQ(options[i]["default"], option.fallback);
    for (const auto part : {option.variable, option.description, option.allowed})
      EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

TEST(CommandLine, InfoDescribesASlide) {
  const auto run = shell("starpath info synthetic:3000x2000,mpp=0.25 --json");
  ASSERT_EQ(run.code, 0) << run.output;
  const auto info = nlohmann::json::parse(run.output);
  EXPECT_EQ(info["levels"][0]["width"], 3000);
  EXPECT_EQ(info["mpp"], 0.25);
  EXPECT_EQ(info["working"]["width"], 1500);
  EXPECT_NE(shell("starpath info synthetic:3000x2000,mpp=0.25").output.find("1500 x 1000"), std::string::npos);
}

}  // namespace
}  // namespace starpath
