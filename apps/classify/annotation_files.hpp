// GeoJSON files from QuPath, and which slide each is of.
#pragma once
#include <CLI/CLI.hpp>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "apps/classify/classified_slides.hpp"
#include "pipelines/classification/annotated_nuclei.hpp"

namespace starpath::apps {

struct AnnotationArguments {
  std::vector<std::string> files;  ///< files, and folders of *.geojson and *.json
  double within = 3;               ///< micrometres from a nucleus within which a point is still its own
};

/// --annotations and --within.
void add_annotation_options(CLI::App& command, AnnotationArguments& arguments);

/// Annotations of one slide.
struct SlideAnnotations {
  std::size_t slide;  // its place
  std::vector<std::filesystem::path> files;
};

/// Each file belongs to the slide whose name it has: that of the folder of its results, of the slide's file, or of that
/// without its ending. One file with one slide needs no name. `lines` gets what of a folder has no slide. Throws
/// Error{input} for a file that cannot be given to one slide, and when there is no file at all.
std::vector<SlideAnnotations> match_annotations(const std::vector<ClassifiedSlide>& slides,
                                                const std::vector<std::string>& files, std::vector<std::string>& lines);

/// Gets an annotated nucleus: the place of its slide, the name of its class, the values of the columns.
using OnAnnotated = std::function<void(std::size_t slide, const std::string& name, std::span<const double> values)>;

/// Visits annotated nuclei, slide by slide, in the order of their ids. Returns lines for people on each slide. Throws
/// Error{input} for a file that cannot be read or holds an area that crosses itself; as ColumnReader.
/// `colours` gets, by class, the first colour that a file says.
std::vector<std::string> visit_annotated(const std::vector<ClassifiedSlide>& slides,
                                         const std::vector<SlideAnnotations>& annotations, double within,
                                         const std::vector<std::string>& columns, const OnAnnotated& visit,
                                         std::map<std::string, std::uint32_t>& colours);

}  // namespace starpath::apps
