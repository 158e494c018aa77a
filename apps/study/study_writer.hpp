// The thread that writes rows of study.sqlite, so that slides do not wait for the disk.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "io/study/study_store.hpp"

namespace starpath::apps {

/// Writes what waits in one transaction, in the order in which it was pushed. Thread-safe. Once a transaction has
/// failed every member throws what was thrown there, and nothing is written any more.
class StudyWriter {
 public:
  /// From a push() to the next flush() the store is the writer's alone. It must outlive the writer.
  explicit StudyWriter(io::StudyStore& store);
  /// Writes what waits.
  ~StudyWriter();
  StudyWriter(const StudyWriter&) = delete;
  StudyWriter& operator=(const StudyWriter&) = delete;

  /// `on_written` is called on the writer's thread once the change is on the disk.
  void push(
      io::RowChange change, std::function<void()> on_written = [] {});
  /// Waits until all is written.
  void flush();

 private:
  struct Waiting {
    io::RowChange change;
    std::function<void()> on_written;
  };

  std::vector<Waiting> next_batch();
  void write(std::vector<Waiting> batch);
  void work();

  io::StudyStore& store_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Waiting> waiting_;
  bool writing_ = false, ending_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace starpath::apps
