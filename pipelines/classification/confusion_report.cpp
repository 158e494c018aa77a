// Tables of truth and decision.
#include "pipelines/classification/confusion_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

namespace starpath {
namespace {

std::string as_percent(double share) { return std::isfinite(share) ? fmt::format("{:.1f} %", 100 * share) : "-"; }

nlohmann::json known(double share) { return std::isfinite(share) ? nlohmann::json(share) : nlohmann::json(); }

}  // namespace

std::string confusion_text(const std::vector<NucleusClass>& classes, const Confusion& confusion) {
  std::string text;
  const auto append = [&]<class... Values>(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
  };
  const auto width_of = [](const NucleusClass& each) { return std::max<std::size_t>(7, each.name.size()); };
  std::size_t width = std::string_view("truth \\ said").size();
  for (const NucleusClass& each : classes) width = std::max(width, each.name.size());
  append("{:>{}} |", "truth \\ said", width);
  for (const NucleusClass& each : classes) append(" {:>{}}", each.name, width_of(each));
  append(" |  recall  precision\n");
  for (std::size_t truth = 0; truth < classes.size(); ++truth) {
    append("{:>{}} |", classes[truth].name, width);
    for (std::size_t said = 0; said < classes.size(); ++said)
      append(" {:>{}}", confusion.count(truth, said), width_of(classes[said]));
    append(" | {:>7}  {:>9}\n", as_percent(confusion.recall(truth)), as_percent(confusion.precision(truth)));
  }
  append("right: {} of {} ({}); always the most frequent class: {}\n", confusion.right(), confusion.total(),
         as_percent(confusion.accuracy()), as_percent(confusion.majority()));
  append("balanced accuracy (mean recall): {}; always the most frequent class: {}\n",
         as_percent(confusion.balanced_accuracy()), as_percent(1.0 / static_cast<double>(confusion.present())));
  return text;
}

nlohmann::json confusion_json(const std::vector<NucleusClass>& classes, const Confusion& confusion) {
  nlohmann::json table, recall, precision;
  for (std::size_t truth = 0; truth < classes.size(); ++truth) {
    for (std::size_t said = 0; said < classes.size(); ++said)
      table[classes[truth].name][classes[said].name] = confusion.count(truth, said);
    recall[classes[truth].name] = known(confusion.recall(truth));
    precision[classes[truth].name] = known(confusion.precision(truth));
  }
  return {{"nuclei", confusion.total()},
          {"confusion", table},
          {"recall", recall},
          {"precision", precision},
          {"accuracy", known(confusion.accuracy())},
          {"balanced_accuracy", known(confusion.balanced_accuracy())},
          {"majority_accuracy", known(confusion.majority())}};
}

}  // namespace starpath
