// Opening study.sqlite, and what its callers do with it in one transaction each.
#include "io/study/study_store.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/sqlite.hpp"
#include "base/sqlite_tables.hpp"
#include "io/results/checksums.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/results_file.hpp"
#include "io/study/study_rows.hpp"
#include "io/study/study_schema.hpp"
#include "io/study/study_transaction.hpp"

namespace starpath::io {
namespace {

constexpr std::string_view kSaidOfAll = "said_of_all";
constexpr int kPatience = 60'000;  // milliseconds: somebody may be reading while slides finish

std::optional<std::string> study_value_if_there(const Database& database, std::string_view key) {
  Statement row = database.prepare("SELECT value FROM study WHERE key = ?");
  row.bind(1, key);
  return row.step() ? std::optional(row.text(0)) : std::nullopt;
}

std::string study_value(const Database& database, std::string_view key) {
  if (auto value = study_value_if_there(database, key)) return *std::move(value);
  throw Error(ErrorKind::mismatch,
              fmt::format("{}: is damaged (no '{}' in it); choose another --out", database.path(), key));
}

}  // namespace

struct StudyStore::Impl {
  explicit Impl(const std::string& path) : database(path, Database::Open::existing) {
    database.set_patience(kPatience);
    check_study_tables(database);
    check_study_contents(database);
  }

  /// One transaction.
  template <class Change>
  void transact(const Change& change) {
    StudyTransaction transaction(database);
    change(transaction);
    transaction.commit();
  }

  Database database;
};

StudyStore::StudyStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
StudyStore::StudyStore(StudyStore&&) noexcept = default;
StudyStore& StudyStore::operator=(StudyStore&&) noexcept = default;
StudyStore::~StudyStore() = default;

StudyStore StudyStore::create(const std::string& path, const std::string& version, const std::string& parameters,
                              const std::string& said_of_all) {
  make_results_file(path, [&](Database& database) {
    Transaction transaction(database);
    make_study_tables(database);
    Statement put = database.prepare("INSERT INTO study (key, value) VALUES (?, ?)");
    put.run(std::string_view("starpath_version"), std::string_view(version));
    put.run(std::string_view("parameters"), std::string_view(parameters));
    put.run(kSaidOfAll, std::string_view(said_of_all));
    Checksums(database, kStudyGuard).all_written();
    transaction.commit();
  });
  return StudyStore(std::make_unique<Impl>(path));
}

StudyStore StudyStore::resume(const std::string& path, const std::string& version, const std::string& parameters,
                              const std::string& said_of_all) {
  auto impl = std::make_unique<Impl>(path);
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::mismatch,
                fmt::format("{}: cannot be resumed: {}; use the same again or choose another --out", path, what));
  };
  if (const std::string made_by = study_value(impl->database, "starpath_version"); made_by != version)
    refuse(fmt::format("it was made by starpath {}, this is {}", made_by, version));
  if (const std::string what = differences(study_value(impl->database, "parameters"), parameters); !what.empty())
    refuse("parameters differ: " + what);
  // Studies of before do not have it: there each slide's results refuse for themselves.
  const std::string said_before = study_value_if_there(impl->database, kSaidOfAll).value_or(said_of_all);
  if (const std::string what = differences(said_before, said_of_all); !what.empty())
    refuse("what is said of all slides differs: " + what);
  bring_up_to_date(impl->database);
  return StudyStore(std::move(impl));
}

StudyStore StudyStore::change(const std::string& path) {
  auto impl = std::make_unique<Impl>(path);
  bring_up_to_date(impl->database);
  return StudyStore(std::move(impl));
}

StudyStore StudyStore::open(const std::string& path) {
  auto impl = std::make_unique<Impl>(path);
  impl->database.execute("PRAGMA query_only = ON");
  return StudyStore(std::move(impl));
}

std::vector<StudyRow> StudyStore::rows() const { return read_study_rows(impl_->database); }

std::vector<std::int64_t> StudyStore::take(const std::vector<StudySlide>& slides) {
  std::vector<std::int64_t> numbers;
  impl_->transact([&](StudyTransaction& change) { numbers = take_study_slides(change, slides); });
  return numbers;
}

void StudyStore::change_rows(const std::vector<RowChange>& changes) {
  impl_->transact([&](StudyTransaction& change) {
    for (const RowChange& each : changes) {
      if (each.slide) take_study_slides(change, {*each.slide});
      if (each.summary)
        put_study_summary(change, each.number, *each.summary);
      else
        put_study_slide_begun(change, each.number);
    }
  });
}

void StudyStore::put_classes(const StudyClasses& classes) {
  impl_->transact([&](StudyTransaction& change) {
    put_study_classes(change, classes);
    remove_cohort(change);
  });
}

void StudyStore::put_member_clusters(MemberKind kind, const MemberClusters& clusters) {
  impl_->transact([&](StudyTransaction& change) { io::put_member_clusters(change, kind, clusters); });
}

StudyClasses StudyStore::classes() const { return read_study_classes(impl_->database); }

void StudyStore::add_run(const std::string& about) {
  impl_->transact([&](StudyTransaction& change) {
    make_run_table(change.database());
    change.database().prepare("INSERT INTO runs (about) VALUES (?)").run(std::string_view(about));
    change.part_changed(kStudyRunsPart);
  });
}

std::vector<std::string> StudyStore::runs() const {
  std::vector<std::string> runs;
  if (!has_table(impl_->database, "runs")) return runs;
  for (Statement row = impl_->database.prepare("SELECT about FROM runs ORDER BY run"); row.step();)
    runs.push_back(row.text(0));
  return runs;
}

std::string StudyStore::parameters() const { return study_value(impl_->database, "parameters"); }

std::string StudyStore::version() const { return study_value(impl_->database, "starpath_version"); }

void StudyStore::begin_clusters() {
  impl_->transact([](StudyTransaction& change) {
    begin_study_clusters(change);
    remove_cohort(change);
  });
}

void StudyStore::put_clusters(const StudyClusters& clusters) {
  impl_->transact([&](StudyTransaction& change) {
    put_study_clusters(change, clusters);
    remove_cohort(change);
  });
}

StudyClusters StudyStore::clusters() const {
  return study_layout(impl_->database) < 2 ? StudyClusters{} : read_study_clusters(impl_->database);
}

std::optional<Cohort> StudyStore::cohort() const { return read_cohort(impl_->database); }

}  // namespace starpath::io
