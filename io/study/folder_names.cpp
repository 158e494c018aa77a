// Names of folders from names of slides.
#include "io/study/folder_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/lower_case.hpp"
#include "base/utf8.hpp"
#include "io/study/study_files.hpp"

namespace starpath::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongest = 120;  // of the 255 bytes that file systems take

/// What any file system takes as a name, and the study leaves free.
std::string as_name(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 32 || std::string_view("/\\:*?\"<>|,=").find(c) != std::string_view::npos)
      c = '_';
  while (!text.empty() && (text.front() == '.' || text.front() == ' ')) text.erase(text.begin());
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  text = text.empty() ? "slide" : std::string(utf8_start(text, kLongest));
  return is_study_file(text) ? "slide_" + text : text;
}

/// "CMU-1" of "slides/CMU-1.svs", "tiles" of "a/tiles/".
std::string plain_name(const std::string& path) {
  if (path.starts_with("synthetic:")) return as_name(path);
  fs::path file(path);
  if (!file.has_filename()) file = file.parent_path();
  return as_name(file.stem().string());
}

/// The same with the folder it lies in: "slides_CMU-1".
std::string name_with_folder(const std::string& path) {
  if (path.starts_with("synthetic:")) return as_name(path);
  fs::path file(path);
  if (!file.has_filename()) file = file.parent_path();
  return as_name(file.parent_path().filename().string() + "_" + file.stem().string());
}

}  // namespace

void name_folders(std::vector<StudySlide>& slides, const std::vector<StudySlide>& known) {
  std::set<std::string> taken, given;
  std::map<std::string, std::string> by_path, by_name;  // folders
  std::map<std::string, int> sharing;
  std::map<std::string, int> next;  // number that a further slide of a name gets
  for (const StudySlide& slide : slides) {
    given.insert(slide.path);
    ++sharing[lower_case(plain_name(slide.path))];
  }
  for (const StudySlide& slide : known) {
    taken.insert(lower_case(slide.folder));
    by_path[slide.path] = slide.folder;
    if (!given.contains(slide.path)) by_name[lower_case(slide.folder)] = slide.folder;
  }
  for (StudySlide& slide : slides) {
    if (const auto same = by_path.find(slide.path); same != by_path.end()) {
      slide.folder = same->second;
      continue;
    }
    const std::string plain = plain_name(slide.path);
    const std::string name = sharing[lower_case(plain)] > 1 ? name_with_folder(slide.path) : plain;
    if (const auto moved = by_name.find(lower_case(name)); moved != by_name.end()) {
      slide.folder = moved->second;
      by_name.erase(moved);
      continue;
    }
    slide.folder = name;
    for (int& number = next.try_emplace(lower_case(name), 2).first->second;
         !taken.insert(lower_case(slide.folder)).second; ++number)
      slide.folder = fmt::format("{}_{}", name, number);
  }
}

}  // namespace starpath::io
