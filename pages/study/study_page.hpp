// A study as a page for browsers.
#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace starpath::pages {

struct StudyPage {
  std::string html;
  std::size_t slides = 0;
  std::vector<std::string> problems;  // what the page lacks, a line each
};

/// One HTML file that needs no other and no network: page/report.html with its style, script and data inlined. Reads
/// study.sqlite, the results and the slides; what of these is not there the page lacks, and says so. `on_slide` hears
/// of each slide that is looked at. Throws as StudyStore::open, and Error{usage} for a feature that the study does not
/// have (`features` as ExportOptions::features).
///
/// The data are one JSON object. `study`: folder, starpath, date, parameters. `slides`: what study.sqlite says of each,
/// `picture` and `density` (counts row by row; `wide` and `tall`: its size as a share of the picture's). `features`: of
/// each `low`, `high` and by slide quartiles and `counts`. `groups`: names and colours. `clusters`, `classes`,
/// `cohort`: what `starpath cluster`, `classify run` and `cohort` left, with pictures; absent without. The last of
/// `classes` is out of range. `runs`: as in study.sqlite.
StudyPage page_of_study(const std::filesystem::path& folder, const std::vector<std::string>& features,
                        const std::function<void(const std::string& slide)>& on_slide);

}  // namespace starpath::pages
