// An abstract workflow: the stages of an application and their dependencies, before there is any tile. Pure.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace starpath::workflow {

/// A declared stage. The process that runs it knows its content, a pipeline of operations.
struct Stage {
  std::string name;
  std::vector<std::string> reads = {}, writes = {};  // data by name; one stage writes each
  std::vector<std::string> after = {};               // stages that it must follow for another reason than their data
};

/// Stages, numbered as declared, and the dependencies between them. Immutable. Source: hybrid-pipelines-2012, section
/// III-A: "the logical stages of the analysis application and the connections, or dependencies, between the stages".
class AbstractWorkflow {
 public:
  /// Throws Error{usage}, one line, when there is no stage, or when stages wait for each other in a cycle. Also when a
  /// stage has no name or the name of another, follows a stage that does not exist, reads data that no stage writes, or
  /// writes data that another stage writes.
  explicit AbstractWorkflow(std::vector<Stage> stages);

  std::size_t size() const { return stages_.size(); }
  const std::string& name(int stage) const { return at(stage).name; }
  /// Stages whose data it needs, or that it follows; ascending.
  const std::vector<int>& before(int stage) const { return at(stage).before; }
  /// Stages that need its data, or that follow it; ascending.
  const std::vector<int>& after(int stage) const { return at(stage).after; }
  /// The longest way to it from a stage that waits for none: 0 for such a stage.
  int depth(int stage) const { return at(stage).depth; }

 private:
  struct Node {
    std::string name;
    std::vector<int> before, after;
    int depth = 0;
  };
  const Node& at(int stage) const { return stages_[static_cast<std::size_t>(stage)]; }
  void connect(const std::vector<Stage>& stages);
  void order();

  std::vector<Node> stages_;
};

/// A workflow of one stage: every tile is one piece of work.
AbstractWorkflow single_stage(const std::string& name);

}  // namespace starpath::workflow
