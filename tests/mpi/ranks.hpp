// Pipelines on several ranks of this machine, for tests.
#pragma once
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "base/sqlite.hpp"
#include "tests/apps/command.hpp"
#include "tests/support/shared_folder.hpp"

namespace starpath::test {

/// What tests need to know of a pipeline.
struct Pipeline {
  std::string name;
  std::string command;
  std::string slide;         ///< with options: some tens of tiles
  std::string few_tiles;     ///< fewer than four
  std::string endless;       ///< far more than anybody waits for
  std::string tiff_options;  ///< for a slide of write_tiled_tiff()
  std::vector<std::string> files;
  std::string table;                                        ///< of tiles in results.sqlite
  std::function<bool(const std::string& part)> has_stored;  ///< whether tiles are committed in a part in use
  std::string alone = {};       ///< what one process is told for the results that all must equal; empty: `slide`
  std::string alone_name = {};  ///< of that, the same for pipelines that say the same; empty: `name`

  /// A command that runs it.
  std::string run(const std::string& arguments, const std::string& out, const std::string& options = "") const {
    return STARPATH_PROGRAM " " + command + " " + arguments + " " + options + " --out " + out;
  }
};

/// Names the pipelines of a parameterised suite.
inline std::string name_of(const testing::TestParamInfo<Pipeline>& suite) { return suite.param.name; }

inline void PrintTo(const Pipeline& pipeline, std::ostream* out) { *out << pipeline.name; }

/// Segmentation's results grow while tiles are being committed; the first bytes of the journal are no zeros from
/// before that until they are.
inline bool has_tiles(const std::string& part) {
  std::error_code error;
  if (const auto size = std::filesystem::file_size(part, error); error || size <= 300000) return false;
  std::array<char, 8> start{};
  std::ifstream(part + "-journal", std::ios::binary).read(start.data(), start.size());
  return start == std::array<char, 8>{};
}

/// NBIA's have a write-ahead log, which grows by one or two pages of 16 KiB a field.
inline bool has_fields(const std::string& part) {
  std::error_code error;
  const auto size = std::filesystem::file_size(part + "-wal", error);
  return !error && size > 5 * 16384;
}

inline const Pipeline kSegmentation{"segmentation",
                                    "segment",
                                    "synthetic:1400x1100,seed=6 --tile 256 --halo 64 --window 2 --cpus 1",
                                    "synthetic:300x300",
                                    "synthetic:30000x30000 --tile 256 --halo 64 --window 2 --cpus 1",
                                    "--tile 256 --halo 32",
                                    {"nuclei.geojson", "nuclei.csv", "labels.tif", "overlay.png"},
                                    "tiles",
                                    has_tiles};
inline const Pipeline kNbia{"nbia",
                            "nbia run",
                            "synthetic:6144x4096,pattern=stroma,seed=5 --window 2 --cpus 1",
                            "synthetic:512x512,pattern=stroma",
                            "synthetic:30000x30000,pattern=stroma --window 2 --cpus 1",
                            "--model bundled",
                            {"map.png", "overlay.png", "regions.geojson", "fields.csv"},
                            "fields",
                            has_fields};

/// The example of docs/workflows.md, a pipeline that was declared outside.
inline const Pipeline kDeclared{"declared",
                                "workflow " STARPATH_EXAMPLE,
                                "synthetic:2400x2100,seed=6 --window 2 --cpus 1",
                                "synthetic:300x250",
                                "synthetic:60000x60000 --window 2 --cpus 1",
                                "",
                                {"results.csv"},
                                "rows",
                                has_fields};

/// A pipeline with streams of this policy.
inline Pipeline streams(Pipeline pipeline, const std::string& policy) {
  const std::string option = " --streams " + policy;
  pipeline.alone_name = pipeline.name;
  pipeline.alone = pipeline.slide;
  pipeline.name += "_" + policy;
  for (std::string* const words : {&pipeline.slide, &pipeline.few_tiles, &pipeline.endless, &pipeline.tiff_options})
    *words += option;
  return pipeline;
}

/// NBIA with streams of this policy: most fields are looked at twice.
inline Pipeline nbia_streams(const std::string& policy) {
  Pipeline pipeline = kNbia;
  pipeline.name = "nbia_twice";
  pipeline.slide = "synthetic:4096x3072,pattern=stroma,seed=5 --recalc-rate 0.6 --cpus 1";
  pipeline.endless = "synthetic:30000x30000,pattern=stroma --cpus 1";
  return streams(pipeline, policy);
}

/// Under AddressSanitizer no command looks for leaks: the MPI library leaves some.
inline const int kNoLeaks = setenv("ASAN_OPTIONS", "detect_leaks=0", 1);

/// All pipelines, and in builds that have streams the same with them.
inline std::vector<Pipeline> pipelines() {
  std::vector<Pipeline> all{kSegmentation, kNbia, kDeclared};
#ifdef STARPATH_MPI_STREAMS
  for (const Pipeline& each : {nbia_streams("odds"), streams(kSegmentation, "odds"), streams(kDeclared, "odds")})
    all.push_back(each);
#endif
  return all;
}

/// `mpirun -n ranks` before a command: oversubscribed, within this machine, and ended after four minutes whatever
/// happens: CTest ends it after five, and a disk was seen to write nothing for two.
inline std::string launcher(int ranks, const std::string& options = "") {
  return "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader OMPI_MCA_pml=ob1"
         " PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe OMPI_MCA_rmaps_base_oversubscribe=1"
         " OMPI_MCA_oob_tcp_if_include=lo timeout -k 5 240 " STARPATH_MPIRUN " --oversubscribe " +
         options + " -n " + std::to_string(ranks) + " ";
}

/// As one word of a shell.
inline std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

/// Rank 0 with one command and rank 1 with another. Not by `command : command`, at which mpirun of Debian 13 (Open MPI
/// 5.0.7) dies.
inline std::string two_ranks(const std::string& first, const std::string& second, const std::string& options = "") {
  return launcher(2, options) + "bash -c " +
         quoted("[ \"$OMPI_COMM_WORLD_RANK\" = 1 ] || exec " + first + "\nexec " + second);
}

/// What one process makes of a pipeline's slide; computed once.
inline std::string alone(const Pipeline& pipeline) {
  const bool streams = !pipeline.alone.empty();
  const std::string name = "one_process_" + (streams ? pipeline.alone_name : pipeline.name);
  static std::map<std::string, SharedFolder> made;
  const auto made_now = made.try_emplace(name, name, [&](const SharedFolder& folder) {
    const auto run = shell(pipeline.run(streams ? pipeline.alone : pipeline.slide, folder / "out", "--quiet"));
    EXPECT_EQ(run.code, 0) << run.output;
  });
  return made_now.first->second / "out";
}

/// How many tiles a results file or part holds that nobody has open.
inline std::int64_t tiles_in(const Pipeline& pipeline, const std::string& file) {
  return Database(file, Database::Open::existing).integer("SELECT count(*) FROM " + pipeline.table);
}

/// Number and state of every tile.
inline std::string states_in(const Pipeline& pipeline, const std::string& out) {
  std::string states;
  const Database database(out + "/results.sqlite", Database::Open::existing);
  Statement rows = database.prepare("SELECT rowid, state FROM " + pipeline.table + " ORDER BY rowid");
  while (rows.step()) states += std::to_string(rows.integer(0)) + " " + rows.text(1) + "\n";
  return states;
}

/// Expects the same files and tiles in two folders, and that all parts are merged.
inline void expect_same_results(const Pipeline& pipeline, const std::string& ours, const std::string& theirs) {
  for (const std::string& name : pipeline.files) {
    ASSERT_EQ(std::filesystem::exists(ours + "/" + name), std::filesystem::exists(theirs + "/" + name)) << name;
    if (!std::filesystem::exists(theirs + "/" + name)) continue;  // an export that cannot read the slide
    EXPECT_TRUE(read_file(ours + "/" + name) == read_file(theirs + "/" + name)) << name << " differs";
  }
  EXPECT_EQ(states_in(pipeline, ours), states_in(pipeline, theirs));
  for (const auto& entry : std::filesystem::directory_iterator(ours))
    EXPECT_EQ(entry.path().filename().string().find(".rank-"), std::string::npos) << entry.path() << " was left";
}

/// Waits until `ready`, for two minutes at most.
template <class Ready>
bool eventually(Ready ready) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (std::chrono::steady_clock::now() < end) {
    if (ready()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

/// A job in the background, whose ranks leave their process ids in files.
class Job {
 public:
  Job(const Pipeline& pipeline, int ranks, const std::string& arguments) : ranks_(ranks) {
    const std::string rank =
        "sh -c 'echo $$ > " + folder_ / "pid$OMPI_COMM_WORLD_RANK" + "; exec " + pipeline.run(arguments, out()) + "'";
    thread_ = std::thread([this, line = launcher(ranks) + rank] { outcome_ = shell(line); });
    started_ = eventually(
        [&] { return pipeline.has_stored(part()) || std::filesystem::exists(out() + "/" + pipeline.files.back()); });
  }
  ~Job() {
    if (!thread_.joinable()) return;
    for (int rank = 0; rank < ranks_; ++rank) signal(rank, SIGKILL);
    thread_.join();
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Rank 1 has stored tiles, or the job has ended well.
  bool started() const { return started_; }
  std::string out() const { return folder_ / "out"; }
  std::string part() const { return folder_ / "out/results.rank-1.sqlite"; }
  void signal(int rank, int signal) const {
    pid_t pid = 0;
    std::ifstream(folder_ / ("pid" + std::to_string(rank))) >> pid;
    if (pid > 0) ::kill(pid, signal);
  }
  Outcome end() {
    thread_.join();
    return outcome_;
  }

 private:
  const int ranks_;
  TemporaryFolder folder_;
  std::thread thread_;
  Outcome outcome_{};
  bool started_ = false;
};

}  // namespace starpath::test
