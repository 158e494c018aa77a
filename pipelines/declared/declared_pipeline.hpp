// A pipeline from a module: checked, and as the run needs it.
#pragma once
#include <starpu.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "codelets/starpu/task_status.hpp"
#include "pipelines/declared/portion.hpp"
#include "starpath/workflow.hpp"
#include "workflow/abstract_workflow.hpp"

namespace starpath {

/// Data of a tile or of a part of it, by number; number 0 are the pixels of the tile.
struct DeclaredData {
  declare::Data data;
  Portion portion = {};
  int writer = -1;                      // stage; -1: the job makes the data where they are read
  int last_reader = -1;                 // stage; -1 when no operation reads it
  bool travels = false;                 // a stage other than the writer reads it
  std::vector<std::size_t> parts = {};  // of data that are joined: the data of each part
  std::size_t first_task = 0;           // that makes the data, where the job does

  bool is_pixels() const { return data.name == declare::kPixels; }
  bool is_made_by_job() const { return is_pixels() || !parts.empty(); }
  std::uint32_t elements() const {
    return data.elements * static_cast<std::uint32_t>(parts.empty() ? 1 : parts.size());
  }
};

/// A declared stage, or the instance of it for a part.
struct DeclaredStage {
  std::string name;
  const declare::Stage* declared;
  Portion portion;
};

struct DeclaredOperation {
  std::string name;
  starpu_codelet* declared;
  starpu_codelet codelet;  // runs `declared`, and keeps its exceptions from StarPU
  int stage;
  std::vector<std::size_t> reads, writes;  // numbers of data
  std::vector<std::size_t> buffers;        // the same in the codelet's order
  std::string if_it_fails = {};            // what follows, for people: "; so part 'a.2' never comes, which 'b' joins"
};

/// cl_arg of a task, for as long as it lives.
struct DeclaredArguments {
  const DeclaredOperation* operation = nullptr;
  declare::Tile* tile = nullptr;
  TaskStatus* status = nullptr;
};

/// More make no message clearer: a pipeline has a handful.
inline constexpr std::size_t kMostOperations = 16;
/// Of a stage: the manager keeps the state of each part of each tile.
inline constexpr int kMostParts = 64;

class DeclaredPipeline {
 public:
  /// Throws Error{usage} that names the operation or stage, when the pipeline makes no sense.
  explicit DeclaredPipeline(declare::Pipeline pipeline);
  DeclaredPipeline(const DeclaredPipeline&) = delete;  // operations are pointed to
  DeclaredPipeline& operator=(const DeclaredPipeline&) = delete;

  const declare::Pipeline& declared() const { return declared_; }
  const workflow::AbstractWorkflow& workflow() const { return workflow_; }
  /// By number: those of the workflow.
  const std::vector<DeclaredStage>& stages() const { return stages_; }
  const std::vector<DeclaredData>& data() const { return data_; }
  const std::vector<DeclaredOperation>& operations() const { return operations_; }
  /// The tasks of a tile: operations by their numbers, then those that make data (DeclaredData::first_task). The pixels
  /// have two, kRead and kCut; data that are joined have one for each part.
  std::size_t tasks() const { return task_names_.size(); }
  static constexpr std::size_t kRead = 0, kCut = 1;
  /// Its name in progress.
  const std::string& task_name(std::size_t task) const { return task_names_[task]; }
  bool is_reading(std::size_t task) const { return task_names_[task] == kReading; }
  /// Of the data that become a row.
  std::size_t result() const { return number_of(declared_.result.data, {}, "the result"); }
  /// The one that no other follows.
  int last_stage() const { return last_stage_; }
  /// Throws Error{usage} when no operation reads the pixels: streams between ranks would have nothing to send.
  void check_streams() const;
  /// The stage and those that it needs, in an order in which data are written before they are read.
  std::vector<int> up_to(int stage) const;
  /// Stages, what their operations read and write, and the data, in one line: ranks that agree in it can exchange data.
  std::string shape() const;

 private:
  static constexpr const char* kReading = "read";

  std::size_t number_of(const std::string& name, const Portion& portion, const std::string& user) const;
  std::string text_of(std::size_t number) const;
  const declare::Stage* writer_of(const std::string& name) const;
  void check_names() const;
  void check_data() const;
  void check_operations() const;
  void check_result();
  void check_columns() const;
  void add_stages();
  void add_data();
  void add_operations(const std::vector<workflow::Stage>& stages);
  void add_operation(const declare::Operation& operation, int stage, const std::vector<std::string>& written);
  void connect();
  void name_tasks();
  std::string joined_after(int stage) const;
  std::vector<workflow::Stage> stages_of_workflow() const;
  [[noreturn]] void refuse(const std::string& what) const;

  const declare::Pipeline declared_;
  std::vector<DeclaredStage> stages_;
  std::vector<DeclaredData> data_;
  std::vector<DeclaredOperation> operations_;
  std::vector<std::string> task_names_;
  workflow::AbstractWorkflow workflow_;
  int last_stage_ = 0;
};

/// What a module declares; it stays loaded until the process ends. Throws Error{input} when the file is no such module,
/// is one for another version of the interface, or throws.
declare::Pipeline load_pipeline(const std::filesystem::path& module);

}  // namespace starpath
