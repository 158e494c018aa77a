// A rank that is no `starpath` of this version. `stranger version`: says so; `stranger language`: in other words.
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
  cluster::Cluster ranks({60, nullptr, [](const std::string& what) { std::puts(what.c_str()); }});
  try {
    ranks.work({"0.0.1", "", ""});
  } catch (const Error& refusal) {
    ranks.fail(refusal.kind(), refusal.what());
  }
}
