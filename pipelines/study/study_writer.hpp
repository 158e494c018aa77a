// The thread that writes rows of study.sqlite, so that slides do not wait for the disk.
#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "base/batch_writer.hpp"
#include "io/study/study_store.hpp"

namespace starpath {

/// Writes what waits in one transaction, in the order in which it was pushed. Thread-safe. Once a transaction has
/// failed, every member throws what was thrown there, and nothing is written any more.
class StudyWriter {
 public:
  /// From a push() to the next flush() the store is the writer's alone. It must outlive the writer, which writes what
  /// waits when it is destroyed.
  explicit StudyWriter(io::StudyStore& store)
      : writer_([&store](std::vector<Waiting> batch) {
          std::vector<io::RowChange> changes;
          for (Waiting& each : batch) changes.push_back(std::move(each.change));
          store.change_rows(changes);
          for (const Waiting& each : batch) each.on_written();
        }) {}

  /// `on_written` is called on the writer's thread once the change is on the disk.
  void push(
      io::RowChange change, std::function<void()> on_written = [] {}) {
    writer_.push({std::move(change), std::move(on_written)});
  }
  /// Waits until all is written.
  void flush() { writer_.flush(); }

 private:
  struct Waiting {
    io::RowChange change;
    std::function<void()> on_written;
  };

  BatchWriter<Waiting> writer_;
};

}  // namespace starpath
