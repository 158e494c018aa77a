// The profile that a machine has by default: its name, what is made for it, and what is left out of it.
#include "estimator/store/machine_profile.hpp"

#include <map>
#include <sstream>

#include "estimator/store/parameter_names.hpp"
#include "estimator/store/profile_use.hpp"
#include "tests/estimator/store/profile_fixture.hpp"

namespace starpath {
namespace {

Variables variables(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const char* name) -> const char* {
    const auto found = values.find(name);
    return found != values.end() ? found->second.c_str() : nullptr;
  };
}

const MachineName kNode{.host = "node17", .processor = "AMD EPYC 7763 (64-Core)"};

TEST(MachineProfile, LiesInTheUsersData) {
  const std::string name = "/starpath/node17.amd-epyc-7763-64-core.profile";
  EXPECT_EQ(machine_profile(variables({{"XDG_DATA_HOME", "/data"}, {"HOME", "/home/u"}}), kNode), "/data" + name);
  EXPECT_EQ(machine_profile(variables({{"HOME", "/home/u"}}), kNode), "/home/u/.local/share" + name);
  EXPECT_EQ(machine_profile(variables({{"XDG_DATA_HOME", ""}, {"HOME", "/home/u"}}), kNode),
            "/home/u/.local/share" + name);
  EXPECT_EQ(machine_profile(variables({{"XDG_DATA_HOME", "not/absolute"}, {"HOME", "/home/u"}}), kNode),
            "/home/u/.local/share" + name);
  EXPECT_EQ(machine_profile(variables({}), kNode), "");
}

TEST(MachineProfile, AnyHostAndProcessorMakeAFileName) {
  const auto name = [](const std::string& host, const std::string& processor) {
    return machine_profile(variables({{"XDG_DATA_HOME", "/d"}}), {host, processor}).substr(12);
  };
  EXPECT_EQ(name("", ""), "unknown.unknown.profile");
  EXPECT_EQ(name("../../etc", "/"), "etc.unknown.profile");
  EXPECT_EQ(name("a\nb", "Intel(R) Xeon(R) @ 2.20GHz"), "a-b.intel-r-xeon-r-2-20ghz.profile");
  EXPECT_LT(name(std::string(500, 'h'), std::string(500, 'p')).size(), 200U);
}

TEST(MachineProfile, AMachineIsAHostAndItsProcessor) {
  EXPECT_EQ(this_machine(variables({{"STARPU_HOSTNAME", "mirage"}})).host, "mirage");
  const MachineName here = this_machine(variables({}));
  EXPECT_FALSE(here.host.empty());
  EXPECT_EQ(here.host.find('.'), std::string::npos);
  EXPECT_FALSE(here.processor.empty());
  std::istringstream x86("processor\t: 0\nmodel\t\t: 1\nmodel name\t: AMD EPYC\nmodel name\t: other\n");
  EXPECT_EQ(processor_in(x86), "AMD EPYC");
  std::istringstream arm("processor\t: 0\nCPU part\t: 0xd0c\n");
  EXPECT_EQ(processor_in(arm), "");
}

TEST(ParameterNames, AreTheSameWhereNoneThatIsNamedDiffers) {
  EXPECT_TRUE(same_parameters({"width"}, {"width", "height"}));
  EXPECT_TRUE(same_parameters({"width", "height"}, {"width"}));
  EXPECT_TRUE(same_parameters({"p0", "p1"}, {"width", "height"}));
  EXPECT_FALSE(same_parameters({"buffers", "bytes0"}, {"pixels"}));
  EXPECT_FALSE(same_parameters({"p"}, {"q"}));
  EXPECT_FALSE(same_parameters({"p0x"}, {"width"}));
}

class OwnProfile : public test::ProfileTest {
 protected:
  ProfileUse use(const std::string& path) {
    return {path, true, [this](const std::string& line) { lines.push_back(line); }, true};
  }
  std::vector<std::string> lines;
};

TEST_F(OwnProfile, ItsFolderIsMade) {
  const std::string own = folder / "new" / "starpath" / "host.cpu.profile";
  ProfileUse run = use(own);
  EXPECT_TRUE(run.meet("blur", {"width"}, {"implementation"}).empty());
  EXPECT_FALSE(std::filesystem::exists(own));
  run.collect("blur", "cpu", test::entry(3, 1).features, 0.25);
  run.save();
  EXPECT_TRUE(lines.empty());
  EXPECT_EQ(use(own).meet("blur", {"width"}, {"implementation"}).at(0).samples.size(), 1U);
}

TEST_F(OwnProfile, OneThatCannotBeMadeIsOneLine) {
  write("a file where a folder should be");
  ProfileUse run = use(file + "/starpath/host.cpu.profile");
  EXPECT_TRUE(run.meet("blur", {"width"}, {"implementation"}).empty());
  run.collect("blur", "cpu", test::entry(3, 1).features, 0.25);
  run.save();
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("what this run measured is not kept"), std::string::npos) << lines[0];
}

TEST_F(OwnProfile, SamplesOfOtherParametersAreLeftOutInOneLineAndReplaced) {
  for (const char* codelet : {"blur", "sharpen", "same"}) {
    const ProfileGroup stored = test::group(5, 1, codelet);
    ProfileStore(file, ProfileStore::Open::create).append(std::span(&stored, 1));
  }
  ProfileUse run = use(file);
  EXPECT_TRUE(run.meet("blur", {"pixels", "objects"}, {"implementation"}).empty());
  EXPECT_TRUE(run.meet("sharpen", {"pixels"}, {"implementation"}).empty());
  EXPECT_EQ(run.meet("same", {"width"}, {"implementation"}).at(0).samples.size(), 5U);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("codelet 'blur' have other parameters (width) than its tasks have today (pixels)"),
            std::string::npos)
      << lines[0];
  run.collect("blur", "cpu", test::entry(3, 1).features, 0.25);
  run.save();
  EXPECT_EQ(lines.size(), 1U);
  EXPECT_EQ(use(file).meet("blur", {"pixels", "objects"}, {"implementation"}).at(0).samples.size(), 1U);
  EXPECT_EQ(samples(), 11U);
}

}  // namespace
}  // namespace starpath
