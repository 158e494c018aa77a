// How a run tells where it stands: a bar on a terminal, plain lines in a pipe, JSON lines for machines, or nothing.
#pragma once
#include <atomic>
#include <chrono>
#include <string>
#include <utility>

#include "runs/run_listener.hpp"

namespace starpath::apps {

enum class ReportStyle { bar, lines, json, quiet };

/// Bar when stderr is a terminal, else lines; --json and --quiet override.
ReportStyle choose_style(bool json, bool quiet);

/// Everything goes to stderr, except JSON lines, which go to stdout. Failures are told in every style.
class ProgressReport final : public RunListener {
 public:
  /// `found` names what Progress::found counts, as a plural and as a JSON key; `unit` what a tile is, for people.
  ProgressReport(ReportStyle style, std::string found, std::string unit = "tile")
      : style_(style), found_(std::move(found)), unit_(std::move(unit)) {}

  void note(const std::string& line) override;
  void update(const Progress& progress, const std::string& failure) override;
  void phase(const std::string& text) override;
  /// Told when the phase takes long.
  void share(double done) override;
  void event(const nlohmann::json& line, const std::string& words) override;
  /// Ends an unfinished bar's line.
  void close() override;

 private:
  void draw_bar(const Progress& progress);
  void print_line(const Progress& progress);
  void print_json(const Progress& progress);

  std::string state_text(const Progress& progress) const;
  void put_bar(double share, const std::string& text);

  ReportStyle style_;
  std::string found_, unit_;
  std::atomic<bool> bar_open_ = false;  // any thread may close it
  std::chrono::steady_clock::time_point last_{}, phase_began_{};
  std::int64_t last_tiles_ = -1;
};

}  // namespace starpath::apps
