// Tables of truth and decision.
#include "apps/classify/confusion_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/terminal.hpp"

namespace starpath::apps {
namespace {

std::string as_percent(double share) { return std::isfinite(share) ? fmt::format("{:.1f} %", 100 * share) : "-"; }

nlohmann::json known(double share) { return std::isfinite(share) ? nlohmann::json(share) : nlohmann::json(); }

}  // namespace

void print_confusion(const std::vector<NucleusClass>& classes, const Confusion& confusion) {
  std::size_t width = std::string_view("truth \\ said").size();
  for (const NucleusClass& each : classes) width = std::max(width, each.name.size());
  print_out("{:>{}} |", "truth \\ said", width);
  for (const NucleusClass& each : classes) print_out(" {:>{}}", each.name, std::max<std::size_t>(7, each.name.size()));
  print_out(" |  recall  precision\n");
  for (std::size_t truth = 0; truth < classes.size(); ++truth) {
    print_out("{:>{}} |", classes[truth].name, width);
    for (std::size_t said = 0; said < classes.size(); ++said)
      print_out(" {:>{}}", confusion.count(truth, said), std::max<std::size_t>(7, classes[said].name.size()));
    print_out(" | {:>7}  {:>9}\n", as_percent(confusion.recall(truth)), as_percent(confusion.precision(truth)));
  }
  print_out("right: {} of {} ({}); always the most frequent class: {}\n", confusion.right(), confusion.total(),
            as_percent(confusion.accuracy()), as_percent(confusion.majority()));
  print_out("balanced accuracy (mean recall): {}; always the most frequent class: {}\n",
            as_percent(confusion.balanced_accuracy()), as_percent(1.0 / static_cast<double>(confusion.present())));
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

}  // namespace starpath::apps
