// Files of annotations, and which slide each is of.
#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "pipelines/classification/annotated_nuclei.hpp"
#include "pipelines/classification/classified_slides.hpp"

namespace starpath {

/// Annotations of one slide.
struct SlideAnnotations {
  std::size_t slide;  // its place
  std::vector<std::filesystem::path> files;
};

/// `files`: files of annotations, and folders of *.geojson, *.json, *.xml and *.annotations, packed (.gz) or not. Each
/// file belongs to the slide whose name it has (slide_names.hpp). One file with one slide needs no name. `lines` gets a
/// line for each file of a folder that has no slide, and one where slides have no annotations. Throws Error{input} for
/// a file that cannot be given to one slide, and when there is no file at all.
std::vector<SlideAnnotations> match_annotations(const std::vector<ClassifiedSlide>& slides,
                                                const std::vector<std::string>& files, std::vector<std::string>& lines);

/// Gets an annotated nucleus: the place of its slide, the name of its class, the values of the columns.
using OnAnnotated = std::function<void(std::size_t slide, const std::string& name, std::span<const double> values)>;

/// Visits annotated nuclei, slide by slide, in the order of their ids. Returns lines for people on each slide. Throws
/// Error{input} for a file that cannot be read or holds an area that crosses itself; as ColumnReader. `within`:
/// micrometres from a nucleus within which a point is still the nucleus's own.
/// `colours` gets, by class, the first colour that a file says.
std::vector<std::string> visit_annotated(const std::vector<ClassifiedSlide>& slides,
                                         const std::vector<SlideAnnotations>& annotations, double within,
                                         const std::vector<std::string>& columns, const OnAnnotated& visit,
                                         std::map<std::string, std::uint32_t>& colours);

}  // namespace starpath
