// A picture of typical nuclei of each cluster.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/study/study_store.hpp"
#include "pipelines/study_clusters/study_nuclei.hpp"
#include "pipelines/study_clusters/typical_nuclei.hpp"

namespace starpath {

/// Writes a PNG, a row a cluster, the first on top, behind a bar in its colour. A row holds the nuclei numbered by
/// `chosen` (TypicalNuclei), each in 24 x 24 um of its slide and with its outline, twice as large as working pixels.
/// Squares of a slide that cannot be read stay grey, and `warnings` gets a line. Throws WriteError.
void write_contact_sheet(const std::filesystem::path& file, const std::vector<ClusteredSlide>& slides,
                         const std::vector<io::StudyCluster>& clusters,
                         const std::vector<std::vector<std::int64_t>>& chosen, std::vector<std::string>& warnings);

/// Throws Error{usage} when clusters.png of the study is one of its slides, and Error{output} when it is anything else
/// than a contact sheet.
void check_contact_sheet(const std::filesystem::path& study);

/// Removes a contact sheet that write_contact_sheet() made. Whatever else is there stays, with a line in `warnings`.
void remove_contact_sheet(const std::filesystem::path& file, std::vector<std::string>& warnings);

}  // namespace starpath
