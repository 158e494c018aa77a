// Rings of names.
#include "codelets/starpu/device_tasks.hpp"

#include <starpu.h>

#include <algorithm>

namespace starpath::codelets {
namespace {

std::array<DeviceTasks, STARPU_NMAXWORKERS> all_tasks;

/// Writes into a piece of memory until it is full, with nothing that a signal handler must not use.
class Writer {
 public:
  explicit Writer(std::span<char> text) : text_(text) {}
  void add(std::string_view words) {
    const std::size_t fitting = std::min(words.size(), text_.size() - used_);
    std::copy_n(words.begin(), fitting, text_.begin() + static_cast<std::ptrdiff_t>(used_));
    used_ += fitting;
  }
  std::size_t used() const { return used_; }

 private:
  std::span<char> text_;
  std::size_t used_ = 0;
};

}  // namespace

void DeviceTasks::begin(std::string_view operation, std::string_view place) {
  const std::uint32_t number = begun_.load(std::memory_order_relaxed);
  Name& name = names_[number % kMost];
  Writer writer(std::span<char>(name).first(name.size() - 1));
  writer.add(operation);
  writer.add(" of ");
  writer.add(place);
  name[writer.used()] = 0;
  begun_.store(number + 1, std::memory_order_release);
}

std::size_t DeviceTasks::describe(std::span<char> text) const {
  const std::uint32_t begun = begun_.load(std::memory_order_acquire), ended = ended_.load(std::memory_order_acquire);
  Writer writer(text);
  for (std::uint32_t left = std::min(begun - ended, kMost); left > 0; --left) {
    if (writer.used() != 0) writer.add(", then ");
    writer.add(names_[(begun - left) % kMost].data());
  }
  return writer.used();
}

DeviceTasks& device_tasks(int worker) { return all_tasks[static_cast<std::size_t>(worker)]; }

std::size_t describe_device_failure(std::string_view error, std::span<char> text) {
  Writer writer(text);
  writer.add(error);
  std::string_view before = " in ";
  for (const DeviceTasks& tasks : all_tasks) {
    if (tasks.empty()) continue;
    std::array<char, 4 * 140> names;
    const std::size_t length = tasks.describe(names);
    writer.add(before);
    writer.add({names.data(), length});
    before = "; beside it ";
  }
  return writer.used();
}

}  // namespace starpath::codelets
