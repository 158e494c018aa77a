// Names of schedules, and the schedules themselves.
#include "loops/schedule_list.hpp"

#include <stdexcept>
#include <string>

#include "loops/hdss.hpp"
#include "loops/rivals.hpp"

namespace starpath::loops {

const std::vector<ScheduleName>& schedule_names() {
  static const std::vector<ScheduleName> names = {
      {"hdss", "learns each processor's rate on small blocks, then guided by rate (hdss-2013)"},
      {"gss", "guided: what is left over the number of processors"},
      {"static", "one block a processor, by known rates, else equal"},
      {"linear", "each block larger than the processor's last by its initial block"},
      {"exponential", "each block twice the processor's last"},
  };
  return names;
}

std::unique_ptr<Schedule> make_schedule(std::string_view name, const LoopSetup& setup) {
  if (name == "hdss") return std::make_unique<Hdss>(setup);
  if (name == "gss") return std::make_unique<Guided>(setup);
  if (name == "static") return std::make_unique<Static>(setup, known_weights(setup));
  if (name == "linear") return std::make_unique<LinearIncrement>(setup);
  if (name == "exponential") return std::make_unique<ExponentialIncrement>(setup);
  std::string known;
  for (const ScheduleName& each : schedule_names()) known += (known.empty() ? "" : ", ") + std::string(each.name);
  throw std::invalid_argument("unknown schedule: " + std::string(name) + "; there are: " + known);
}

}  // namespace starpath::loops
