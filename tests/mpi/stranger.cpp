// A rank that is no `starpath` of this version. `stranger version`: says so; `stranger language`: in other words.
// `stranger leaves`: rank 0 leaves without receiving what the others send it. `stranger stops N`: both ranks give up,
// and rank N stops for ever before it ends MPI; `stranger stops-last`: rank 1 does, without a farewell before.
#include <csignal>
#include <cstdio>
#include <string>

#include "mpi/job/job.hpp"

namespace {

constexpr double kPatience = 5;

void say(const std::string& what) {
  std::puts(what.c_str());
  std::fflush(stdout);
}

void stop_before_the_end(int rank) {
  using namespace starpath;
  mpi::Job ranks({kPatience, nullptr, say});
  const mpi::Agreement agreement{"1", "", ""};
  try {
    if (ranks.rank() == 0)
      ranks.manage(agreement, {});
    else
      ranks.work(agreement);
  } catch (const Error&) {
    // Rank 0 has given up before.
  }
  ranks.fail(ErrorKind::runtime, "it gives up");
  if (ranks.rank() == rank) std::raise(SIGSTOP);
}

}  // namespace

int main(int, char** arguments) {
  using namespace starpath;
  if (arguments[1] == std::string("language")) {
    mpi::Network network;
    network.send(0, mpi::Channel::manager, R"(["good day"])");
    while (true) network.receive();
  }
  if (arguments[1] == std::string("leaves")) {
    mpi::Network network;
    if (network.rank() != 0) network.send(0, mpi::Channel::data, std::string(4'000'000, 'x'));
    while (!network.all_sent()) network.receive();
    return 0;
  }
  if (arguments[1] == std::string("stops")) {
    stop_before_the_end(std::stoi(arguments[2]));
    return 0;
  }
  if (arguments[1] == std::string("stops-last")) {
    mpi::Network network;
    network.end_within(kPatience, [&] { say(network.name_of(network.rank()) + " waits"); });
    if (network.rank() == 1) std::raise(SIGSTOP);
    return 0;
  }
  mpi::Job ranks({60, nullptr, [](const std::string& what) { std::puts(what.c_str()); }});
  try {
    ranks.work({"0.0.1", "", ""});
  } catch (const Error& refusal) {
    ranks.fail(refusal.kind(), refusal.what());
  }
}
