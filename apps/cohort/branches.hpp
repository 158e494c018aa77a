// Patients in a tree by their values, and the tree cut into branches. Pure.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "apps/cohort/patient_values.hpp"
#include "statistics/linkage.hpp"

namespace starpath::apps {

/// A value that tells patients apart, standardised over them.
struct StandardValue {
  std::string name;
  double mean = 0, deviation = 0;
  std::vector<double> scores;  // by patient; 0 where there is no number
};

struct BranchChoice {
  std::size_t k;
  double silhouette;
};

struct Branches {
  std::vector<StandardValue> values;  // those that vary, in the order of a tree of their own
  std::vector<Merge> tree;            // of the patients
  std::vector<std::size_t> order;     // of the patients in it, from top to bottom
  std::vector<int> of_patient;        // number of the branch, from 0 at the top
  std::size_t count = 0;              // of branches; 0: there is no tree, and why stands in the notes
  std::vector<BranchChoice> choices;  // of k = 0, or of the one k
};

/// More patients are not put into a tree: its matrix would not fit.
inline constexpr std::size_t kMostInTree = 5000;
/// Of two nothing can be said: each is its own branch.
inline constexpr std::size_t kLeastInTree = 3;

/// z-scores of all values weigh alike. `k` branches; 0: 2 to 8, as many as have the highest mean silhouette. A value
/// that does not vary is left out, and the mean takes the place of what is missing: `notes` gets a line for either.
/// Throws Error{usage} for more branches than patients.
Branches find_branches(const std::vector<PatientValue>& values, std::size_t patients, Linkage linkage, std::size_t k,
                       std::vector<std::string>& notes);

}  // namespace starpath::apps
