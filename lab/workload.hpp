// Workloads: the model that a file describes, and the tasks that come of it on a machine, with their true times.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/bounds/bound.hpp"
#include "lab/machine.hpp"
#include "lab/model_file.hpp"

namespace starpath::lab {

/// One kind of task, as a file describes it.
struct TaskKind {
  std::string name;
  std::string codelet;                  ///< that StarPU sees; several kinds may share one
  double core_ms = 0;                   ///< on one core of the workload's reference speed, mean
  std::optional<double> gpu;            ///< speedup of the reference GPU over that core; none: cannot run there
  std::optional<double> mic;            ///< the same of the reference MIC
  double regular = 1;                   ///< share of an accelerator's time that its memory bandwidth shortens, 0 to 1
  double content = 0;                   ///< power of the data's content factor that the time is multiplied with
  std::vector<unsigned> reads, writes;  ///< of WorkloadModel::data, where the shape is `tile`
};

/// One piece of a tile's data, as a file of the shape `tile` describes it.
struct TileData {
  std::string name;
  double megabytes = 0;
};

/// A workload file. docs/lab.md explains each shape's parameters.
struct WorkloadModel {
  std::string name, about, shape;
  std::map<std::string, double> parameters;  ///< `--set` may change them
  double reference_core_speed = 1;           ///< of the core that core_ms was taken on (unit: anthill's core)
  double reference_gpu = 1;                  ///< memory GB/s of the GPU that `gpu` was taken on
  double reference_mic = 1;                  ///< of the MIC
  double content_spread = 0;                 ///< sigma of the logarithm of the content factor, which all devices share
  double device_spread = 0;                  ///< sigma of the logarithm of the remaining variation: by task and class
  double known_spread = 0;     ///< sigma of the logarithm of the error of the content as known before a task runs
  std::vector<TileData> data;  ///< where the shape is `tile`
  std::vector<TaskKind> kinds;
  std::vector<std::string> constraints;  ///< statements of the papers that the values were chosen to meet
};

/// Reads a workload, with the parameters that `set` names changed: entries of an option --set, "NAME=NUMBER". Throws
/// Error (input), "FILE:LINE: reason", and Error (usage) for an entry.
WorkloadModel read_workload(ModelFile file, const std::vector<std::string>& set = {});

/// Changes a parameter. Throws Error (usage) when there is none of the name or the value is negative or not finite.
void set_parameter(WorkloadModel& model, const std::string& name, double value);

enum class AccessMode { read, write, read_write };
struct Access {
  unsigned data = 0;
  AccessMode mode = AccessMode::read;
};

/// One piece of data that StarPU moves. Data that are read before they were written start in main memory.
struct DataItem {
  double bytes = 0;
  bool owned = false;  ///< in the program's memory, even if only tasks write and read it; else in StarPU's
};

struct WorkTask {
  unsigned codelet = 0;  ///< of Workload::codelets
  unsigned kind = 0;     ///< of WorkloadModel::kinds
  unsigned group = 0;    ///< tasks of one group (a tile) enter the window together
  int priority = 0;
  std::vector<Access> data;
  std::vector<double> parameters;  ///< known before the task runs: an estimator's input
  std::vector<double> seconds;     ///< the truth, by class of the machine; infinity where it cannot run
};

/// The tasks in the order they are submitted. Groups are numbered 0, 1, ... in that order.
struct Workload {
  std::string name;
  std::vector<std::string> codelets;
  std::vector<std::string> kinds;
  std::vector<DataItem> data;
  std::vector<WorkTask> tasks;
  unsigned groups = 0;
  unsigned window = 0;  ///< groups in flight; 0: all
};

/// The same model, machine, parameters and seed give the same tasks, on every machine that runs this.
Workload make_workload(const WorkloadModel& model, const LabMachine& machine, std::uint64_t seed);

/// For each task the tasks that it must wait for, sorted. They follow from the data that it reads and writes: a reader
/// waits for the last writer, a writer for the last writer and all readers since.
std::vector<std::vector<unsigned>> dependencies(const Workload& workload);

/// The tasks as the bounds see them.
std::vector<BoundTask> bound_tasks(const Workload& workload);

}  // namespace starpath::lab
