// Who hears where a run stands.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "pipelines/run/progress.hpp"

namespace starpath {

/// A run tells its progress by these functions. Those that do nothing here need not be heard. For one thread at a time,
/// but for note().
class RunListener {
 public:
  virtual ~RunListener() = default;
  /// A line for the user, whatever else is told. Any thread may call it.
  virtual void note(const std::string& line) = 0;
  /// Where the work on tiles stands. `failure` is that of a tile, or empty.
  virtual void update(const Progress&, const std::string& /*failure*/) {}
  /// What is being done besides tiles ("writing labels.tif").
  virtual void phase(const std::string& /*text*/) {}
  /// How much of the phase is done, 0 to 1.
  virtual void share(double /*done*/) {}
  /// Something that happened once: as JSON for machines, in words for people. Empty words: people are not told.
  virtual void event(const nlohmann::json& /*line*/, const std::string& /*words*/) {}
  /// The progress that was told is complete. The next output begins on a line of its own.
  virtual void close() {}
};

/// Hands on notes alone.
class NotesAlone final : public RunListener {
 public:
  explicit NotesAlone(RunListener& to) : to_(to) {}
  void note(const std::string& line) override { to_.note(line); }

 private:
  RunListener& to_;
};

}  // namespace starpath
