// Rows in batches.
#include "apps/study/study_writer.hpp"

#include <utility>

namespace starpath::apps {

StudyWriter::StudyWriter(io::StudyStore& store) : store_(store), thread_([this] { work(); }) {}

StudyWriter::~StudyWriter() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void StudyWriter::push(io::RowChange change, std::function<void()> on_written) {
  {
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    waiting_.push_back({std::move(change), std::move(on_written)});
  }
  changed_.notify_all();
}

void StudyWriter::flush() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return failure_ || (waiting_.empty() && !writing_); });
  if (failure_) std::rethrow_exception(failure_);
}

/// Waits for some; none at the end.
std::vector<StudyWriter::Waiting> StudyWriter::next_batch() {
  std::unique_lock lock(mutex_);
  writing_ = false;
  changed_.notify_all();
  changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
  writing_ = !waiting_.empty();
  return std::exchange(waiting_, {});
}

void StudyWriter::write(std::vector<Waiting> batch) {
  std::vector<io::RowChange> changes;
  for (Waiting& each : batch) changes.push_back(std::move(each.change));
  store_.change_rows(changes);
  for (const Waiting& each : batch) each.on_written();
}

void StudyWriter::work() {
  try {
    for (auto batch = next_batch(); !batch.empty(); batch = next_batch()) write(std::move(batch));
  } catch (...) {
    {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
    changed_.notify_all();
  }
}

}  // namespace starpath::apps
