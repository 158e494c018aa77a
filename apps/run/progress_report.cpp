// Progress on a terminal, in a pipe, and as JSON lines.
#include "apps/run/progress_report.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/cli/terminal.hpp"
#include "base/words.hpp"

namespace starpath::apps {
namespace {

/// Tiles a second of this run, without those that an earlier run had finished.
double rate_of(const Progress& progress) {
  const auto done = static_cast<double>(progress.tiles_done - progress.tiles_resumed);
  return progress.seconds > 0 ? done / progress.seconds : 0;
}

/// Tiles of everything that is to be done.
std::int64_t tiles_of(const Progress& progress) { return std::max(progress.tiles_total, progress.tiles_expected); }

std::optional<double> seconds_left(const Progress& progress) {
  const double rate = rate_of(progress);
  if (rate <= 0) return std::nullopt;
  return static_cast<double>(tiles_of(progress) - progress.tiles_done) / rate;
}

/// "1:05:09", "5:09".
std::string clock_text(double seconds) {
  const auto total = static_cast<std::int64_t>(seconds + 0.5);
  if (total >= 3600) return fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
  return fmt::format("{}:{:02}", total / 60, total % 60);
}

std::string time_left(const Progress& progress) {
  const auto seconds = seconds_left(progress);
  return seconds ? clock_text(*seconds) : "?";
}

/// "3/16 slides  " of a study; empty else.
std::string slides_text(const Progress& progress) {
  return progress.slides_total == 0 ? "" : fmt::format("{}/{} slides  ", progress.slides_done, progress.slides_total);
}

/// "120" tiles, or "~900" while some slides have not been opened.
std::string total_text(const Progress& progress) {
  return (tiles_of(progress) > progress.tiles_total ? "~" : "") + grouped(tiles_of(progress));
}

/// Between two signs of progress.
std::chrono::milliseconds pause_of(ReportStyle style) {
  return std::chrono::milliseconds(style == ReportStyle::bar ? 100 : 5000);
}

int terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

ReportStyle choose_style(bool json, bool quiet) {
  if (json) return ReportStyle::json;
  if (quiet) return ReportStyle::quiet;
  return isatty(STDERR_FILENO) ? ReportStyle::bar : ReportStyle::lines;
}

void ProgressReport::note(const std::string& line) { print_error("starpath: {}\n", line); }

void ProgressReport::update(const Progress& progress, const std::string& failure) {
  if (!failure.empty()) {
    close();
    print_error("starpath: failed: {}\n", failure);
  }
  if (!progress.note.empty()) {
    close();
    note(progress.note);
  }
  for (const std::string& line : progress.news) phase(line);
  if (progress.tiles_total == 0) return;
  const auto now = std::chrono::steady_clock::now();
  const bool last = progress.tiles_done == tiles_of(progress);
  if (!last && last_tiles_ >= 0 && now - last_ < pause_of(style_)) return;
  if (progress.tiles_done == last_tiles_) return;
  last_ = now;
  last_tiles_ = progress.tiles_done;
  switch (style_) {
    case ReportStyle::bar:
      return draw_bar(progress);
    case ReportStyle::lines:
      return print_line(progress);
    case ReportStyle::json:
      return print_json(progress);
    case ReportStyle::quiet:
      return;
  }
}

void ProgressReport::phase(const std::string& text) {
  close();
  phase_began_ = last_ = std::chrono::steady_clock::now();
  event({{"event", "phase"}, {"text", text}}, text);
}

void ProgressReport::event(const nlohmann::json& line, const std::string& words) {
  if (style_ == ReportStyle::json) {
    write_json(line);
    std::fflush(stdout);
  } else if (style_ != ReportStyle::quiet && !words.empty()) {
    print_error("{}\n", words);
  }
}

void ProgressReport::share(double done) {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < pause_of(style_) || style_ == ReportStyle::quiet) return;
  last_ = now;
  if (style_ == ReportStyle::json) return event({{"event", "phase_progress"}, {"share", done}}, "");
  const double seconds = std::chrono::duration<double>(now - phase_began_).count();
  const std::string text =
      fmt::format("{:.0f} %  {} left", 100 * done, done > 0 ? clock_text(seconds * (1 - done) / done) : "?");
  style_ == ReportStyle::bar ? put_bar(done, text) : print_error("{}\n", text);
}

std::string ProgressReport::state_text(const Progress& progress) const {
  std::string found = found_;
  std::ranges::replace(found, '_', ' ');
  return fmt::format("{0}{1}/{2} {3}s  {4:.2f} {3}s/s  {5} left  {6} {7}", slides_text(progress),
                     grouped(progress.tiles_done), total_text(progress), unit_, rate_of(progress), time_left(progress),
                     grouped(progress.found), found);
}

void ProgressReport::put_bar(double share, const std::string& text) {
  const int width = std::clamp(terminal_width() - static_cast<int>(text.size()) - 5, 0, 40);
  const auto full = static_cast<std::size_t>(width * std::clamp(share, 0.0, 1.0));
  const std::string bar = std::string(full, '#') + std::string(static_cast<std::size_t>(width) - full, '.');
  print_error("\r\033[K[{}] {}", bar, text);
  std::fflush(stderr);
  bar_open_ = true;
}

void ProgressReport::draw_bar(const Progress& progress) {
  const auto total = static_cast<double>(std::max<std::int64_t>(tiles_of(progress), 1));
  put_bar(static_cast<double>(progress.tiles_done) / total, state_text(progress));
  if (progress.tiles_done == tiles_of(progress)) close();
}

void ProgressReport::print_line(const Progress& progress) { print_error("{}\n", state_text(progress)); }

void ProgressReport::print_json(const Progress& progress) {
  nlohmann::json line = {{"event", "progress"},
                         {"tiles_done", progress.tiles_done},
                         {"tiles_total", progress.tiles_total},
                         {"tiles_failed", progress.tiles_failed},
                         {found_, progress.found},
                         {"seconds", progress.seconds},
                         {"tiles_per_second", rate_of(progress)}};
  if (progress.slides_total > 0) {
    line["slides_done"] = progress.slides_done;
    line["slides"] = progress.slides_total;
    line["tiles_expected"] = tiles_of(progress);
    if (const auto seconds = seconds_left(progress)) line["seconds_left"] = *seconds;
  }
  event(line, "");
}

void ProgressReport::close() {
  if (bar_open_.exchange(false)) print_error("\n");
}

}  // namespace starpath::apps
