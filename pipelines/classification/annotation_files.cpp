// From files to annotated nuclei.
#include "pipelines/classification/annotation_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/lower_case.hpp"
#include "io/annotations/read_annotations.hpp"
#include "io/annotations/self_crossing.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/classification/feature_columns.hpp"
#include "pipelines/classification/slide_names.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

/// The name without the ending of a file of annotations; nothing when it has none.
std::optional<std::string> stem_of(const fs::path& file) {
  fs::path name = file.filename();
  if (lower_case(name.extension().string()) == ".gz") name = name.stem();
  const std::string ending = lower_case(name.extension().string());
  if (ending == ".geojson" || ending == ".json" || ending == ".xml" || ending == ".annotations")
    return name.stem().string();
  return std::nullopt;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (stem_of(entry.path()) && !entry.path().filename().string().starts_with(".")) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string names_of(const std::vector<ClassifiedSlide>& slides) {
  constexpr std::size_t most = 6;
  std::vector<std::string> names;
  for (const ClassifiedSlide& slide : slides)
    if (names.size() < most) names.push_back(slide.folder);
  return fmt::format("{}{}", fmt::join(names, ", "), slides.size() > most ? ", ..." : "");
}

std::vector<io::Annotation> read_checked(const fs::path& file, io::Vertex origin, std::vector<std::string>& lines) {
  io::AnnotationFile drawn = io::read_annotations(file.string(), io::Geometries::areas_and_points, origin);
  lines.insert(lines.end(), drawn.notes.begin(), drawn.notes.end());
  for (const io::Annotation& annotation : drawn.annotations)
    if (!annotation.class_name.empty() && !annotation.class_name.ends_with('*') &&
        (annotation.object_type.empty() || annotation.object_type == "annotation") &&
        io::crosses_itself(annotation.polygons))
      throw Error(ErrorKind::input, fmt::format("{}: feature {} crosses itself; mend it in QuPath (Simplify shape, or "
                                                "draw it again)",
                                                file.string(), annotation.feature));
  return std::move(drawn.annotations);
}

/// What is to be said of a slide's annotations.
std::string line_of(const ClassifiedSlide& slide, const AnnotatedSlideNuclei& found, double within) {
  const AnnotationCounts& counts = found.counts;
  std::string line = fmt::format("{}: {} nuclei annotated by {} points and {} areas", slide.folder,
                                 found.classes.size(), counts.points, counts.areas);
  if (counts.points_lost > 0)
    line += fmt::format("; {} points have no nucleus within {:g} um", counts.points_lost, within);
  if (counts.areas_empty > 0) line += fmt::format("; {} areas hold no nucleus", counts.areas_empty);
  if (counts.conflicts > 0) line += fmt::format("; {} nuclei of several classes are left out", counts.conflicts);
  for (const auto& [why, count] : counts.left_out) line += fmt::format("; left out {}: {}", why, count);
  return line;
}

/// The nuclei of a slide that have a class, by id.
AnnotatedSlideNuclei match(const SlideAnnotations& files, const io::ResultStore& store, double within,
                           std::map<std::string, std::uint32_t>& colours, std::vector<std::string>& lines) {
  const io::RunInfo info = store.info();
  io::Vertex origin{0, 0};
  if (info.origin) origin = {static_cast<double>(info.origin->x), static_cast<double>(info.origin->y)};
  std::vector<io::Annotation> annotations;
  for (const fs::path& file : files.files)
    for (io::Annotation& annotation : read_checked(file, origin, lines)) {
      if (annotation.colour) colours.emplace(annotation.class_name, *annotation.colour);
      annotations.push_back(std::move(annotation));
    }
  AnnotationMatch match(annotations, info.scale, within / (info.mpp > 0 ? info.mpp : io::kDesignMpp));
  io::NucleusStore(store).for_each_nucleus(
      false, [&](std::int64_t id, const io::NucleusRecord& nucleus) { match.add(id, nucleus); });
  return match.finish();
}

}  // namespace

std::vector<SlideAnnotations> match_annotations(const std::vector<ClassifiedSlide>& slides,
                                                const std::vector<std::string>& files,
                                                std::vector<std::string>& lines) {
  const SlideNames names(slides);
  std::map<std::size_t, std::vector<fs::path>> by_slide;
  const auto take = [&](const fs::path& file, bool said) {
    std::vector<std::size_t> found = names.places_of(stem_of(file).value_or(file.stem().string()));
    if (found.empty() && said && slides.size() == 1) found = {0};
    if (found.size() == 1) return by_slide[found[0]].push_back(file);
    const std::string what = found.empty()
                                 ? fmt::format("{}: has the name of no slide ({})", file.string(), names_of(slides))
                                 : fmt::format("{}: {} slides have this name", file.string(), found.size());
    if (said) throw Error(ErrorKind::input, what + "; name each file after the folder of its slide's results");
    lines.push_back(what + "; left out");
  };
  for (const std::string& each : files) {
    if (!fs::exists(each))
      throw Error(ErrorKind::input, each + ": no such file or folder; check the path of the annotations");
    if (fs::is_directory(each))
      for (const fs::path& file : files_in(each)) take(file, false);
    else
      take(each, true);
  }
  if (by_slide.empty())
    throw Error(ErrorKind::input, fmt::format("{}: no annotations of a slide ({}) are there; export them from QuPath "
                                              "(File, Export objects as GeoJSON), one file a slide, named after it",
                                              fmt::join(files, ", "), names_of(slides)));
  std::vector<SlideAnnotations> matched;
  for (const auto& [slide, its] : by_slide) matched.push_back({slide, its});
  if (matched.size() < slides.size())
    lines.push_back(fmt::format("{} of {} slides have no annotations", slides.size() - matched.size(), slides.size()));
  return matched;
}

std::vector<std::string> visit_annotated(const std::vector<ClassifiedSlide>& slides,
                                         const std::vector<SlideAnnotations>& annotations, double within,
                                         const std::vector<std::string>& columns, const OnAnnotated& visit,
                                         std::map<std::string, std::uint32_t>& colours) {
  std::vector<std::string> lines;
  for (const SlideAnnotations& files : annotations) {
    const ClassifiedSlide& slide = slides[files.slide];
    const io::ResultStore store = io::ResultStore::open(slide.results.string());
    ColumnReader reader(store.info(), slide.results.string(), columns);
    const AnnotatedSlideNuclei found = match(files, store, within, colours, lines);
    lines.push_back(line_of(slide, found, within));
    if (found.classes.empty()) continue;
    io::NucleusStore(store).for_each_nucleus_with(
        reader.features(), [&](std::int64_t id, const io::NucleusRecord& nucleus) {
          if (const auto known = found.classes.find(id); known != found.classes.end())
            visit(files.slide, known->second, reader.values(nucleus));
        });
  }
  return lines;
}

}  // namespace starpath
