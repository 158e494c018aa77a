// What `starpath estimate` prints.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace starpath::apps {

struct EstimateArguments {
  std::string profile;
  std::string codelet;
  std::vector<std::string> values;
  std::string k = "2";
  std::string baseline = "cpu";
  bool cross_validate = false;
  bool json = false;
};

/// "2" is {2, 2}, "1..8" is {1, 8}. Throws Error{usage} unless both are from 1 to 64, in order.
std::pair<std::size_t, std::size_t> range_of_k(const std::string& text);

/// Time and speedup of one task on each device class. Throws Error{usage} for a codelet or parameters that the profile
/// does not have.
void print_estimates(const EstimateArguments& arguments);
/// Mean errors of the estimates of each codelet, by 10-fold cross-validation.
void print_cross_validation(const EstimateArguments& arguments);

}  // namespace starpath::apps
