// A profile in the service of an estimator: loaded, and added to, without ever stopping the program that uses it.
#pragma once
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "estimator/estimator.hpp"
#include "estimator/store/profile_store.hpp"

namespace starpath {

/// Gives `estimator` the samples of `groups`. A class of name `classes[i]` becomes class i; others are left out.
void teach(Estimator& estimator, std::span<const ProfileGroup> groups, std::span<const std::string> classes);

/// The same, where the samples of each implementation, their first category, stand apart: those of implementation j
/// become class j * classes.size() + i. Those from `implementations` on are left out.
void teach_apart(Estimator& estimator, std::span<const ProfileGroup> groups, std::span<const std::string> classes,
                 unsigned implementations);

/// The profile of one run: read when it begins or when it meets a codelet, added to at its end. What goes wrong is
/// reported once, in one line, and the run goes on: without the samples of a file that cannot be read, without keeping
/// new ones where that cannot be written. A damaged profile is moved aside; a file that is no profile stays as it is.
/// Not thread-safe.
class ProfileUse {
 public:
  using Report = std::function<void(const std::string&)>;

  /// `adds`: whether `collect` will be called; a file that does not exist yet is then no trouble. `of_machine`: it is
  /// the machine's own (machine_profile), which need not be there either, and whose folder is made.
  ProfileUse(std::string file, bool adds, Report report, bool of_machine = false)
      : file_(std::move(file)), adds_(adds), of_machine_(of_machine), report_(std::move(report)) {}

  /// What it holds: of all codelets, or of one. After any trouble nothing more is read.
  std::vector<ProfileStore::Summary> list();
  std::vector<ProfileGroup> load(const std::string& codelet = "");

  /// The samples of a codelet whose features are called so today (see ProfileGroup). Those with other parameters are
  /// left out, which is reported; `save` replaces them.
  std::vector<ProfileGroup> meet(const std::string& codelet, std::vector<std::string> numeric,
                                 std::vector<std::string> categorical);

  /// Keeps a sample for `save`; an even choice of ProfileStore::kCapacity for each codelet and class.
  void collect(const std::string& codelet, const std::string& device_class, const Features& features, double seconds);

  /// Appends what was collected to the file.
  void save();

 private:
  struct Names {
    std::vector<std::string> numeric;
    std::vector<std::string> categorical;
  };

  template <class Result>
  Result read(Result (*what)(const ProfileStore& store, const std::string& codelet), const std::string& codelet);
  void trouble(const std::string& line);
  void move_aside_and_report(const ProfileError& error);
  std::vector<ProfileGroup> collected() const;

  std::string file_;
  bool adds_;
  bool of_machine_;
  bool reads_ = true;
  Report report_;
  bool reported_ = false;
  std::map<std::string, Names> names_;
  std::map<std::pair<std::string, std::string>, SampleSet> fresh_;
};

}  // namespace starpath
