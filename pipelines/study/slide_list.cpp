// Slides of a study, as the user names them.
#include "pipelines/study/slide_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/csv/csv_cells.hpp"
#include "base/error.hpp"
#include "base/lower_case.hpp"
#include "base/pure/parse_number.hpp"
#include "base/read_file.hpp"
#include "base/text_encoding.hpp"
#include "base/utf8.hpp"
#include "base/words.hpp"
#include "io/exports/exports.hpp"
#include "io/exports/field_exports.hpp"
#include "io/slides/image_names.hpp"
#include "io/slides/named_file.hpp"
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

/// Lines of a text that ends them in any way, numbered from 1; those of nothing but blanks are left out.
class Lines {
 public:
  explicit Lines(std::string text) : text_(std::move(text)) {
    if (text_.find('\n') == std::string::npos) std::ranges::replace(text_, '\r', '\n');  // of the first Macintoshes
  }

  /// The next one; false: there is none.
  bool next(std::string& line, std::size_t& number) {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      line = text_.substr(at_, end - at_);
      at_ = end + 1;
      number = ++number_;
      if (!trimmed(line).empty()) return true;
    }
    return false;
  }

 private:
  std::string text_;
  std::size_t at_ = 0, number_ = 0;
};

/// The cells, trimmed, without empty ones at the end: spreadsheets write as many as their widest line has.
std::vector<std::string> cells_in(const std::string& file, std::size_t number, const std::string& line, char between) {
  std::vector<std::string> cells = csv_cells(file, number, line, between);
  for (std::string& cell : cells) cell = trimmed(cell);
  while (!cells.empty() && cells.back().empty()) cells.pop_back();
  return cells;
}

/// What stands between the cells of the line that names the columns: that with which one of them is `path`.
char between_cells(const std::string& file, std::size_t number, const std::string& line) {
  for (const char between : {',', ';', '\t'})
    if (std::ranges::any_of(cells_in(file, number, line, between),
                            [](const std::string& cell) { return lower_case(cell) == "path"; }))
      return between;
  throw Error(ErrorKind::input,
              fmt::format("{}:{}: has no column 'path': the first line names the columns, separated by "
                          "commas, semicolons or tabs: path,patient,group,mpp,roi",
                          file, number));
}

/// Excel's first line "sep=;", which says what is between cells.
bool says_separator(const std::string& line) {
  const std::string text = lower_case(trimmed(line));
  return text.starts_with("sep=") && text.size() <= 5;
}

/// One list while it is read.
class ListReader {
 public:
  ListReader(const std::string& file, std::size_t line, std::vector<std::string> columns)
      : file_(file), columns_(std::move(columns)) {
    std::set<std::string> known;
    for (const std::string& column : columns_)
      if (!column.empty() && !known.insert(lower_case(column)).second)
        refuse(line, fmt::format("has two columns '{}'", column));
  }

  io::StudySlide slide_in(std::size_t line, const std::vector<std::string>& cells) const {
    if (cells.size() > columns_.size())
      refuse(line, fmt::format("has {} cells, and the first line {} columns", cells.size(), columns_.size()));
    io::StudySlide slide;
    for (std::size_t i = 0; i < cells.size(); ++i) take(line, columns_[i], cells[i], slide);
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
      slide.mpp = number_in(cell).value_or(0);
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
      if (column.empty())
        refuse(line, fmt::format("has '{}' in a column without a name; name it in the first line", cell));
      slide.labels.emplace_back(column, cell);
    }
  }

  /// With a point, or the comma of many countries.
  static std::optional<double> number_in(std::string cell) {
    if (std::ranges::count(cell, ',') == 1 && cell.find('.') == std::string::npos) std::ranges::replace(cell, ',', '.');
    return parse_number<double>(cell);
  }

  std::string beside_list(const std::string& path) const {
    return io::file_of_either_form(fs::path(file_).parent_path() / path).string();
  }

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

/// How a folder of slides was understood, and what in it is left out.
std::string folder_text(const std::string& folder, const std::vector<std::string>& slides, std::size_t pictures,
                        const std::string& left_out) {
  std::string text = fmt::format("{}: is read as {}", folder, plural(std::ssize(slides), "slide"));
  const auto images = std::ranges::count_if(slides, [](const std::string& slide) { return io::is_image_name(slide); });
  if (const std::string why = io::why_no_tiles(folder); images > 1 && !why.empty())
    text += fmt::format(", not as tiles of one, because {}", why);
  if (pictures > 0)
    text += fmt::format("; left out: {} of results", plural(static_cast<std::int64_t>(pictures), "picture"));
  if (!left_out.empty()) text += (pictures > 0 ? ", " : "; left out: ") + left_out;
  return text;
}

}  // namespace

std::vector<io::StudySlide> slides_of(const std::vector<std::string>& inputs, const OnLine& on_folder) {
  std::vector<io::StudySlide> slides;
  std::error_code ignored;
  for (const std::string& input : inputs) {
    if (!fs::is_directory(input, ignored) || io::is_folder_of_one_slide(input)) {
      slides.push_back({.path = input});
      continue;
    }
    io::FolderContents found = io::contents_of(input);
    const std::size_t pictures = std::erase_if(found.slides, is_of_results);
    if (found.slides.empty())
      throw Error(ErrorKind::input,
                  fmt::format("{}: holds no slide or image{}; give a folder of slides, images or tiles", input,
                              found.left_out.empty() ? "" : fmt::format(" (it has {})", found.left_out)));
    on_folder((found.left_out.empty() ? "" : "warning: ") + folder_text(input, found.slides, pictures, found.left_out));
    for (const std::string& path : found.slides) slides.push_back({.path = path});
  }
  return slides;
}

std::vector<io::StudySlide> read_slide_list(const std::string& file, const OnLine& on_left_out) {
  std::string bytes = read_file(file, "--slides takes a CSV file with a column 'path'");
  DecodedText decoded = decoded_text(bytes);
  // Names must not be guessed: lines that are no UTF-8 are refused one by one.
  Lines lines(decoded.encoding == TextEncoding::latin1 ? std::move(bytes) : std::move(decoded.text));
  std::string line;
  std::size_t number = 0;
  if (!lines.next(line, number) || (says_separator(line) && !lines.next(line, number)))
    throw Error(ErrorKind::input, file + ": is empty; --slides takes a CSV file with a column 'path'");
  const char between = between_cells(file, number, line);
  const ListReader reader(file, number, cells_in(file, number, line, between));
  const fs::path folder = fs::path(file).parent_path();
  std::vector<io::StudySlide> slides;
  while (lines.next(line, number)) {
    const std::vector<std::string> cells = cells_in(file, number, line, between);
    if (cells.empty()) continue;
    io::StudySlide slide = reader.slide_in(number, cells);
    if (slide.path.empty()) {
      on_left_out(fmt::format("{}:{}: {} has no slide, and is left out", file, number,
                              slide.patient.empty() ? "a line" : "patient " + slide.patient));
      continue;
    }
    if (!slide.path.starts_with("synthetic:")) slide.path = io::file_of_either_form(folder / slide.path).string();
    slides.push_back(std::move(slide));
  }
  if (slides.empty()) throw Error(ErrorKind::input, file + ": names no slide; give each a line with its path");
  return slides;
}

std::vector<io::StudySlide> asked_slides(const io::SlidesAsked& asked, const OnLine& on_note) {
  if (asked.list.empty()) return slides_of(asked.inputs, on_note);
  return read_slide_list(asked.list, [&](const std::string& line) { on_note("warning: " + line); });
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
