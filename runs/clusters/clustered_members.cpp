// Plan, k-means, table, study.
#include "runs/clusters/clustered_members.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "base/atomic_file.hpp"
#include "base/own_file.hpp"
#include "base/stop_signals.hpp"
#include "io/exports/csv_cell.hpp"
#include "io/outputs/text_start.hpp"
#include "io/study/done_slides.hpp"
#include "runs/compute.hpp"
#include "runs/kept_files.hpp"
#include "runs/output_folder.hpp"

namespace starpath {
namespace {

/// How the table begins.
template <io::MemberKind kind>
constexpr const char* kTitles =
    kind == io::MemberKind::slides ? "folder,cluster,slides,nuclei" : "patient,cluster,slides,nuclei";

template <io::MemberKind kind>
constexpr OutputKind kTable = {"starpath cluster",
                               [](const std::filesystem::path& file) { return io::has_columns(file, kTitles<kind>); }};

const OutputKind& table_of(io::MemberKind kind) {
  return kind == io::MemberKind::slides ? kTable<io::MemberKind::slides> : kTable<io::MemberKind::patients>;
}

void check_table(const std::filesystem::path& file, const io::StudyStore& store, io::MemberKind kind) {
  Paths slides;
  for (const io::StudyRow& row : store.rows()) slides.emplace_back(row.slide.path);
  check_is_no_input(file, slides, "the study", "move the slide");
  check_may_replace(file, table_of(kind));
}

/// A row a member. A value that is not known is an empty cell.
void write_table(const std::filesystem::path& file, io::MemberKind kind, const MemberVectors& vectors,
                 const io::MemberClusters& clusters) {
  std::string text =
      kind == io::MemberKind::slides ? kTitles<io::MemberKind::slides> : kTitles<io::MemberKind::patients>;
  for (const std::string& column : vectors.columns) text += "," + io::csv_cell(column);
  text += "\r\n";
  for (std::size_t i = 0; i < vectors.members.size(); ++i) {
    const MemberVector& member = vectors.members[i];
    text +=
        fmt::format("{},{},{},{}", io::csv_cell(member.name), clusters.members[i].second, member.slides, member.nuclei);
    for (const double value : member.values) text += std::isnan(value) ? "," : fmt::format(",{}", value);
    text += "\r\n";
  }
  AtomicFile output(file, table_of(kind));
  output.write(text);
  output.commit();
}

}  // namespace

std::optional<ClusteredMembers> cluster_members_of(const RunRequest& run, const MemberClusterRequest& request,
                                                   RunListener& listener) {
  const std::atomic<bool>& stop = catch_stop_signals();
  io::check_is_study(run.out);
  const std::unique_ptr<io::OutputLock> lock = lock_output(run);
  const std::filesystem::path study = run.out;
  const std::filesystem::path table = study / fmt::format("clusters_of_{}.csv", io::name_of(request.kind));
  io::StudyStore store = io::StudyStore::change(study / "study.sqlite");
  check_table(table, store, request.kind);
  std::vector<std::string> warnings;
  const MemberVectors vectors = plan_members(study, store, request.kind, request.features, request.centres.k, warnings);
  std::optional<MemberOutcome> found;
  compute(run, listener, [&] {
    found = cluster_members(
        request, vectors,
        {[&](const std::string& what) { listener.phase(what); }, [&](double done) { listener.share(done); }}, stop);
  });
  if (!found) return std::nullopt;
  found->warnings.insert(found->warnings.begin(), warnings.begin(), warnings.end());
  store.put_member_clusters(request.kind,
                            {});  // the table of a call that is killed now has no other clusters beside it
  write_table(table, request.kind, vectors, found->clusters);
  store.put_member_clusters(request.kind, found->clusters);
  return ClusteredMembers{std::move(*found), table};
}

}  // namespace starpath
