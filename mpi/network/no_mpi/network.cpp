// The network of a build without MPI.
#include "mpi/network/network.hpp"

#include <cstdlib>

#include "base/error.hpp"

namespace starpath::mpi {

struct Network::Impl {
  std::string host;
};

Network::Network(MpiUse, const StartWatch&) {
  throw Error(ErrorKind::usage,
              "this starpath was built without MPI: start it without mpirun and --streams, or install libopenmpi-dev "
              "and build it "
              "again");
}
Network::~Network() = default;
int Network::rank() const { return 0; }
int Network::size() const { return 1; }
const std::string& Network::host_of(int) const { return impl_->host; }
CoreShare Network::core_share() const { return {0, 1, 1}; }
int Network::shared_communicator() const { return 0; }
void Network::send(int, Channel, std::string) {}
std::optional<Network::Message> Network::receive() { return std::nullopt; }
bool Network::all_sent() { return true; }
void Network::abort(int code) { std::_Exit(code); }

}  // namespace starpath::mpi
