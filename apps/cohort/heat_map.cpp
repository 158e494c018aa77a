// SVG by hand: rectangles, lines and text.
#include "apps/cohort/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/cluster/colours.hpp"
#include "apps/run/own_file.hpp"
#include "base/utf8.hpp"

namespace starpath::apps {
namespace {

constexpr int kTreeWidth = 130, kBranchWidth = 26, kGroupWidth = 14, kGap = 6, kCellWidth = 20, kRowHeight = 18;
constexpr int kLetter = 8;        // width that is reckoned with, of text 12 high
constexpr int kMostLetters = 40;  // of a label; more are cut
constexpr double kMostScore = 2.5;
// What every heat map begins with, by which it is known again.
constexpr const char* kMapStart = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"";
constexpr const char* kMapMark =
    "font-family=\"system-ui, DejaVu Sans, sans-serif\" font-size=\"12\">\n"
    "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";

/// A name from outside. What is no UTF-8 is replaced: no browser shows an SVG that has it.
std::string readable(const std::string& name) {
  using nlohmann::json;
  return json::parse(json(name).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

std::string escaped(const std::string& name) {
  std::string safe;
  for (const char c : readable(name)) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      safe += c;
  }
  return safe;
}

/// Cut between characters of UTF-8.
std::string label(const std::string& text) {
  if (text.size() <= static_cast<std::size_t>(kMostLetters)) return escaped(text);
  return escaped(std::string(utf8_start(text, static_cast<std::size_t>(kMostLetters) - 1))) + "\u2026";
}

int width_of(const std::string& text) { return kLetter * std::min(static_cast<int>(text.size()), kMostLetters); }

/// Blue, white, red (the ends of ColorBrewer's RdBu).
std::string colour_of(double score) {
  const double share = std::clamp(score / kMostScore, -1.0, 1.0);
  const int end[2][3] = {{33, 102, 172}, {178, 24, 43}};
  const int* const to = end[share > 0];
  const auto part = [&](int i) { return static_cast<int>(std::lround(255 + (to[i] - 255) * std::abs(share))); };
  return fmt::format("#{:02x}{:02x}{:02x}", part(0), part(1), part(2));
}

class HeatMap {
 public:
  HeatMap(const std::vector<io::StudyPatient>& patients, const Branches& branches)
      : patients_(patients), branches_(branches) {
    for (const io::StudyPatient& patient : patients_)
      if (!patient.group.empty()) groups_.insert({patient.group, 0});
    std::size_t next = 0;
    for (auto& [name, number] : groups_) number = next++;
    int names = 0, titles = 0;
    for (const io::StudyPatient& patient : patients_) names = std::max(names, width_of(patient.name));
    for (const StandardValue& value : branches_.values) titles = std::max(titles, width_of(value.name));
    cells_ = kTreeWidth + kBranchWidth + (groups_.empty() ? 0 : kGroupWidth + kGap);
    top_ = titles + kGap;
    bottom_ = top_ + kRowHeight * static_cast<int>(patients_.size());
    right_ = cells_ + kCellWidth * static_cast<int>(branches_.values.size());
    width_ = std::max(right_ + 2 * kGap + names, legend_end());
  }

  std::string draw() {
    add("{0}{1}\" height=\"{2}\" viewBox=\"0 0 {1} {2}\" {3}", kMapStart, width_, bottom_ + 44, kMapMark);
    draw_tree();
    for (std::size_t row = 0; row < branches_.order.size(); ++row) draw_row(row);
    for (std::size_t column = 0; column < branches_.values.size(); ++column) {
      const int x = cells_ + kCellWidth * static_cast<int>(column) + 14;
      add("<text transform=\"translate({},{}) rotate(-90)\">{}</text>\n", x, top_ - kGap,
          label(branches_.values[column].name));
    }
    draw_legend();
    return text_ + "</svg>\n";
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), text, std::forward<Arguments>(arguments)...);
  }

  /// Heights grow to the left; a node stands in the middle of its two.
  void draw_tree() {
    const std::size_t leaves = patients_.size();
    std::vector<double> x(leaves + branches_.tree.size(), kTreeWidth - 4.0), y(x.size());
    for (std::size_t row = 0; row < leaves; ++row)
      y[branches_.order[row]] = top_ + kRowHeight * (static_cast<double>(row) + 0.5);
    const double most = branches_.tree.back().height > 0 ? branches_.tree.back().height : 1;
    text_ += "<path fill=\"none\" stroke=\"#555\" d=\"";
    for (std::size_t i = 0; i < branches_.tree.size(); ++i) {
      const Merge& merge = branches_.tree[i];
      const double at = kTreeWidth - 4 - (kTreeWidth - 10) * merge.height / most;
      add("M{:.1f} {:.1f}H{:.1f}V{:.1f}H{:.1f}", x[merge.first], y[merge.first], at, y[merge.second], x[merge.second]);
      x[leaves + i] = at;
      y[leaves + i] = (y[merge.first] + y[merge.second]) / 2;
    }
    text_ += "\"/>\n";
  }

  void draw_row(std::size_t row) {
    const std::size_t number = branches_.order[row];
    const io::StudyPatient& patient = patients_[number];
    const int y = top_ + kRowHeight * static_cast<int>(row);
    const int branch = branches_.of_patient[number];
    add("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>", kTreeWidth, y, kBranchWidth - kGap,
        kRowHeight, branch % 2 == 0 ? "#ddd" : "#bbb");
    add("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>", kTreeWidth + (kBranchWidth - kGap) / 2, y + 13,
        branch + 1);
    if (!patient.group.empty())
      add("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#{:06x}\"><title>{}</title></rect>",
          kTreeWidth + kBranchWidth, y, kGroupWidth, kRowHeight, cluster_colour(groups_.at(patient.group)),
          escaped(patient.group));
    for (std::size_t column = 0; column < branches_.values.size(); ++column) {
      const StandardValue& value = branches_.values[column];
      const double score = value.scores[number];
      add("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"><title>{}, {}: {:.4g} "
          "({:+.2f})</title></rect>",
          cells_ + kCellWidth * static_cast<int>(column), y, kCellWidth, kRowHeight, colour_of(score),
          escaped(patient.name), escaped(value.name), value.mean + score * value.deviation, score);
    }
    add("<text x=\"{}\" y=\"{}\">{}</text>\n", right_ + kGap, y + 13, label(patient.name));
  }

  static int entry_width(const std::string& name) { return kGroupWidth + 2 * kGap + width_of(name) + 10; }
  int legend_end() const {
    int end = kScale + 5 * 34;
    for (const auto& [name, number] : groups_) end += entry_width(name);
    return end;
  }

  void draw_legend() {
    const int y = bottom_ + 16;
    int x = kGap;
    for (int i = -2; i <= 2; ++i, x += 34) {
      add("<rect x=\"{}\" y=\"{}\" width=\"34\" height=\"10\" fill=\"{}\" stroke=\"#ccc\"/>", x, y,
          colour_of(i * kMostScore / 2));
      add("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"10\">{}</text>", x + 17, y + 22,
          i == 0 ? "0" : fmt::format("{:+.3g}", i * kMostScore / 2));
    }
    x += 20;
    for (const auto& [name, number] : groups_) {
      add("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"12\" fill=\"#{:06x}\"/>", x, y, kGroupWidth,
          cluster_colour(number));
      add("<text x=\"{}\" y=\"{}\">{}</text>", x + kGroupWidth + kGap, y + 11, label(name));
      x += entry_width(name);
    }
    text_ += "\n";
  }

  static constexpr int kScale = kGap + 20;  // what stands around the scale of colours

  const std::vector<io::StudyPatient>& patients_;
  const Branches& branches_;
  std::map<std::string, std::size_t> groups_;  // numbers of their colours
  int cells_, top_, bottom_, right_, width_;
  std::string text_;
};

}  // namespace

void check_heat_map_is_ours(const std::filesystem::path& file) {
  check_is_own_file(file, {kMapStart, kMapMark}, "starpath cohort");
}

std::string heat_map_svg(const std::vector<io::StudyPatient>& in_tree, const Branches& branches) {
  return HeatMap(in_tree, branches).draw();
}

}  // namespace starpath::apps
