// The applications of anthill-2010 Table 1 as jobs of random inputs.
#pragma once
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace starpath::bench::anthill {

/// One execution: what an estimator knows of it, and what a model of a device needs to know.
struct Job {
  std::vector<std::pair<std::string, double>> parameters;
  std::function<double()> run;  ///< runs it on one core; how many basic steps it took, which may depend on its data
  double threads = 0;           ///< that a GPU would run at once
  double bytes = 0;             ///< to the device and back
  double calls = 1;             ///< of kernels, one after another
};

struct Application {
  const char* name;
  /// Basic steps a second of a GPU that is full, over those of one core.
  double gain;
  Job (*draw)(std::mt19937& random);
};

const std::vector<Application>& applications();

/// With other inputs, to test what makes an error. Black-Scholes with a second parameter: the options (a tenth as many)
/// are priced 2 to 64 times, as the program of the CUDA SDK prices them again and again.
const std::vector<Application>& variants();

}  // namespace starpath::bench::anthill
