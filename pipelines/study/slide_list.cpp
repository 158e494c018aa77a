// Slides of a study, as the user names them.
#include "pipelines/study/slide_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/csv/csv_cells.hpp"
#include "base/error.hpp"
#include "base/input_files.hpp"
#include "base/lower_case.hpp"
#include "base/pure/parse_number.hpp"
#include "base/utf8.hpp"
#include "io/exports/exports.hpp"
#include "io/exports/field_exports.hpp"
#include "io/slides/resolution.hpp"
#include "io/slides/slide_folder.hpp"
#include "pipelines/run/roi.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

std::string trimmed(const std::string& text) {
  const auto is_space = [](unsigned char c) { return std::isspace(c) != 0; };
  const auto begin = std::ranges::find_if_not(text, is_space);
  const auto end = std::find_if_not(text.rbegin(), std::make_reverse_iterator(begin), is_space).base();
  return {begin, end};
}

/// One list while it is read.
class ListReader {
 public:
  ListReader(const std::string& file, std::vector<std::string> columns) : file_(file), columns_(std::move(columns)) {
    for (std::string& column : columns_) column = trimmed(column);
    std::set<std::string> known;
    for (const std::string& column : columns_)
      if (!known.insert(lower_case(column)).second) refuse(1, fmt::format("has two columns '{}'", column));
    if (!known.contains("path"))
      refuse(1,
             "has no column 'path': the first line names the columns, separated by commas: path,patient,group,mpp,roi");
  }

  io::StudySlide slide_in(std::size_t line, const std::vector<std::string>& cells) const {
    if (cells.size() > columns_.size())
      refuse(line, fmt::format("has {} cells, and the first line {} columns", cells.size(), columns_.size()));
    io::StudySlide slide;
    for (std::size_t i = 0; i < cells.size(); ++i) take(line, columns_[i], trimmed(cells[i]), slide);
    return slide;
  }

 private:
  [[noreturn]] void refuse(std::size_t line, const std::string& what) const {
    throw Error(ErrorKind::input, fmt::format("{}:{}: {}", file_, line, what));
  }

  void take(std::size_t line, const std::string& column, const std::string& cell, io::StudySlide& slide) const {
    const std::string name = lower_case(column);
    if (name == "path") {
      slide.path = cell;
    } else if (name == "patient") {
      slide.patient = cell;
    } else if (name == "group") {
      slide.group = cell;
    } else if (name == "mpp") {
      slide.mpp = parse_number<double>(cell).value_or(0);
      if (!cell.empty() && !(slide.mpp >= io::kLeastSaidMpp && slide.mpp <= io::kMostSaidMpp))
        refuse(line, fmt::format("mpp '{}' is no number from {:g} to {:g}", cell, io::kLeastSaidMpp, io::kMostSaidMpp));
    } else if (name == "roi") {
      if (!cell.empty() && !names_region_file(cell)) try {
          roi_numbers(cell);
        } catch (const Error& error) {
          refuse(line, error.what());
        }
      slide.roi = names_region_file(cell) ? beside_list(cell) : cell;
    } else if (name == "exclude") {
      slide.exclude = cell.empty() ? "" : beside_list(cell);
    } else if (!cell.empty()) {
      slide.labels.emplace_back(column, cell);
    }
  }

  std::string beside_list(const std::string& path) const { return (fs::path(file_).parent_path() / path).string(); }

  const std::string& file_;
  std::vector<std::string> columns_;
};

/// Whether the image was written by a run whose --out is the folder of slides.
bool is_of_results(const fs::path& image) {
  const std::string name = image.filename().string();
  const auto is_this = [&](const auto& each) { return name == each.file; };
  const auto lies_beside = [&](const char* database) {
    std::error_code ignored;
    return fs::exists(image.parent_path() / database, ignored);
  };
  if (name == "clusters.png") return lies_beside("study.sqlite");
  return (std::ranges::any_of(io::kNucleiExports, is_this) || std::ranges::any_of(io::kFieldExports, is_this)) &&
         lies_beside("results.sqlite");
}

}  // namespace

std::vector<io::StudySlide> slides_of(const std::vector<std::string>& inputs) {
  std::vector<io::StudySlide> slides;
  std::error_code ignored;
  for (const std::string& input : inputs) {
    if (!fs::is_directory(input, ignored) || io::is_folder_of_tiles(input)) {
      slides.push_back({.path = input});
      continue;
    }
    std::vector<std::string> found = io::slides_in(input);
    std::erase_if(found, is_of_results);
    if (found.empty())
      throw Error(ErrorKind::input,
                  fmt::format("{}: holds no slide or image; give a folder of slides, images or tiles", input));
    for (const std::string& path : found) slides.push_back({.path = path});
  }
  return slides;
}

std::vector<io::StudySlide> read_slide_list(const std::string& file,
                                            const std::function<void(const std::string&)>& on_left_out) {
  note_input(file);
  errno = 0;
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line))
    throw Error(ErrorKind::input, fmt::format("{}: {}; --slides takes a CSV file with a column 'path'", file,
                                              errno != 0 ? std::strerror(errno) : "is empty"));
  const ListReader reader(file, csv_cells(file, 1, std::string(without_byte_order_mark(line))));
  const fs::path folder = fs::path(file).parent_path();
  std::vector<io::StudySlide> slides;
  for (std::size_t number = 2; std::getline(in, line); ++number) {
    if (trimmed(line).empty()) continue;
    io::StudySlide slide = reader.slide_in(number, csv_cells(file, number, line));
    if (slide.path.empty()) {
      on_left_out(fmt::format("{}:{}: {} has no slide, and is left out", file, number,
                              slide.patient.empty() ? "a line" : "patient " + slide.patient));
      continue;
    }
    if (!slide.path.starts_with("synthetic:")) slide.path = (folder / slide.path).string();
    slides.push_back(std::move(slide));
  }
  if (slides.empty()) throw Error(ErrorKind::input, file + ": names no slide; give each a line with its path");
  return slides;
}

std::vector<io::StudySlide> asked_slides(const io::SlidesAsked& asked,
                                         const std::function<void(const std::string&)>& on_left_out) {
  return asked.list.empty() ? slides_of(asked.inputs) : read_slide_list(asked.list, on_left_out);
}

void check_names(const std::vector<io::StudySlide>& slides) {
  for (const io::StudySlide& slide : slides)
    for (const std::string& name : {slide.path, slide.roi, slide.exclude})
      if (!is_utf8(name))
        throw Error(ErrorKind::input,
                    fmt::format("{}: its name is not UTF-8, and a study keeps names as text; rename it", name));
}

void check_given_once(const std::vector<io::StudySlide>& slides) {
  std::set<std::string> known;
  std::error_code ignored;
  for (const io::StudySlide& slide : slides) {
    const fs::path place = slide.path.starts_with("synthetic:")
                               ? fs::path(slide.path)
                               : fs::weakly_canonical(fs::absolute(slide.path, ignored), ignored);
    if (!known.insert(place.string()).second)
      throw Error(ErrorKind::usage, fmt::format("{}: is given twice; give each slide once", slide.path));
  }
}

}  // namespace starpath
