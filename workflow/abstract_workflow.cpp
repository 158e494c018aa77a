// Checks the declared stages.
#include "workflow/abstract_workflow.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"

namespace starpath::workflow {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::usage, "workflow: " + what); }

std::string quoted(const std::string& name) { return "'" + name + "'"; }

void add(std::vector<int>& stages, int stage) {
  if (std::ranges::find(stages, stage) == stages.end()) stages.push_back(stage);
}

using Numbers = std::map<std::string, int>;

Numbers number_stages(const std::vector<Stage>& stages) {
  if (stages.empty()) refuse("there is no stage: declare at least one");
  Numbers numbers;
  for (const Stage& stage : stages) {
    if (stage.name.empty()) refuse("a stage has no name: give it one");
    if (!numbers.emplace(stage.name, static_cast<int>(numbers.size())).second)
      refuse("two stages are called " + quoted(stage.name) + ": give each a name of its own");
  }
  return numbers;
}

Numbers find_writers(const std::vector<Stage>& stages) {
  Numbers writers;
  for (std::size_t i = 0; i < stages.size(); ++i)
    for (const std::string& data : stages[i].writes) {
      const auto [writer, first] = writers.emplace(data, static_cast<int>(i));
      if (first) continue;
      refuse("stages " + quoted(stages[static_cast<std::size_t>(writer->second)].name) + " and " +
             quoted(stages[i].name) + " both write " + quoted(data) + ": let one of them write data of another name");
    }
  return writers;
}

}  // namespace

AbstractWorkflow::AbstractWorkflow(std::vector<Stage> stages) {
  for (const Stage& stage : stages) stages_.push_back({stage.name, {}, {}, 0});
  connect(stages);
  order();
}

void AbstractWorkflow::connect(const std::vector<Stage>& stages) {
  const Numbers numbers = number_stages(stages), writers = find_writers(stages);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    for (const std::string& data : stages[i].reads) {
      const auto writer = writers.find(data);
      if (writer == writers.end())
        refuse("stage " + quoted(stages[i].name) + " reads " + quoted(data) +
               ", which no stage writes: correct the name, or add the stage");
      add(stages_[i].before, writer->second);
    }
    for (const std::string& name : stages[i].after) {
      const auto stage = numbers.find(name);
      if (stage == numbers.end())
        refuse("stage " + quoted(stages[i].name) + " follows " + quoted(name) +
               ", which is no stage: correct the name, or add the stage");
      add(stages_[i].before, stage->second);
    }
    std::ranges::sort(stages_[i].before);
    for (const int before : stages_[i].before)
      stages_[static_cast<std::size_t>(before)].after.push_back(static_cast<int>(i));
  }
}

void AbstractWorkflow::order() {
  std::vector<std::size_t> missing, ready;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    missing.push_back(stages_[i].before.size());
    if (missing[i] == 0) ready.push_back(i);
  }
  for (std::size_t next = 0; next < ready.size(); ++next)
    for (const int after : stages_[ready[next]].after) {
      Node& node = stages_[static_cast<std::size_t>(after)];
      node.depth = std::max(node.depth, stages_[ready[next]].depth + 1);
      if (--missing[static_cast<std::size_t>(after)] == 0) ready.push_back(static_cast<std::size_t>(after));
    }
  if (ready.size() == stages_.size()) return;
  // From a stage that waits, back along stages that wait, until one comes again.
  const auto waits = [&](int stage) { return missing[static_cast<std::size_t>(stage)] > 0; };
  std::vector<int> way{
      static_cast<int>(std::ranges::find_if(missing, [](auto count) { return count > 0; }) - missing.begin())};
  for (;;) {
    const int next = *std::ranges::find_if(before(way.back()), waits);
    const auto again = std::ranges::find(way, next);
    if (again == way.end()) {
      way.push_back(next);
      continue;
    }
    std::string cycle;
    for (auto stage = again; stage != way.end(); ++stage) cycle += quoted(name(*stage)) + " after ";
    refuse("stages wait for each other: " + cycle + quoted(name(next)) + "; take one dependency out");
  }
}

AbstractWorkflow single_stage(const std::string& name) { return AbstractWorkflow({{name}}); }

}  // namespace starpath::workflow
