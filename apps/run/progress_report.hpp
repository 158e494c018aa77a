// How a run tells where it stands: a bar on a terminal, plain lines in a pipe, JSON lines for machines, or nothing.
#pragma once
#include <chrono>
#include <string>
#include <utility>

#include "pipelines/run/progress.hpp"

namespace starpath::apps {

enum class ReportStyle { bar, lines, json, quiet };

/// Bar when stderr is a terminal, else lines; --json and --quiet override.
ReportStyle choose_style(bool json, bool quiet);

/// "1:05:09", "5:09".
std::string clock_text(double seconds);

/// Everything goes to stderr, except JSON lines, which go to stdout. Failures are told in every style.
class ProgressReport {
 public:
  /// `found` names what Progress::found counts, as a plural and as a JSON key; `unit` what a tile is, for people.
  ProgressReport(ReportStyle style, std::string found, std::string unit = "tile")
      : style_(style), found_(std::move(found)), unit_(std::move(unit)) {}

  void update(const Progress& progress, const std::string& failure);
  /// What is being done besides tiles ("writing labels.tif").
  void phase(const std::string& text);
  /// How much of the phase is done, 0 to 1. Told when the phase takes long.
  void share(double done);
  /// Ends an unfinished bar's line, so that what follows starts on its own.
  void close();

 private:
  void draw_bar(const Progress& progress);
  void print_line(const Progress& progress);
  void print_json(const Progress& progress);

  std::string state_text(const Progress& progress) const;
  void put_bar(double share, const std::string& text);

  ReportStyle style_;
  std::string found_, unit_;
  bool bar_open_ = false;
  std::chrono::steady_clock::time_point last_{}, phase_began_{};
  std::int64_t last_tiles_ = -1;
};

}  // namespace starpath::apps
