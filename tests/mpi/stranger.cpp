// A rank that is no `starpath` of this version. `stranger version`: says so; `stranger language`: in other words.
// `stranger leaves`: rank 0 leaves without receiving what the others send it.
#include <cstdio>
#include <string>

#include "mpi/cluster/cluster.hpp"

int main(int, char** arguments) {
  using namespace starpath;
  if (arguments[1] == std::string("language")) {
    cluster::Network network;
    network.send(0, cluster::Channel::manager, R"(["good day"])");
    while (true) network.receive();
  }
  if (arguments[1] == std::string("leaves")) {
    cluster::Network network;
    if (network.rank() != 0) network.send(0, cluster::Channel::data, std::string(4'000'000, 'x'));
    while (!network.all_sent()) network.receive();
    return 0;
  }
  cluster::Cluster ranks({60, nullptr, [](const std::string& what) { std::puts(what.c_str()); }});
  try {
    ranks.work({"0.0.1", "", ""});
  } catch (const Error& refusal) {
    ranks.fail(refusal.kind(), refusal.what());
  }
}
