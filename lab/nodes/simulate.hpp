// Runs on several simulated nodes: a discrete-event simulation around the protocols and policies that real runs use.
#pragma once
#include "lab/nodes/work.hpp"

namespace starpath::lab {

/// Manager-Worker: node 0 manages and works (mpi/protocol/manager.hpp, worker.hpp), each node holds at most
/// `options.window` tiles, and runs their tasks under the policy `options.policy` (make_scheduler). Deterministic.
/// Throws Error (usage) for a bad policy or window, and for a task that no worker of some node can run.
NodesResult simulate_manager_worker(const NodesModel& all_nodes, const NodesWork& work, const NodesOptions& options);

/// Streams (mpi/protocol/stream.hpp) under `options.policy`: ddfcfs, ddwrr or odds. Every node has a reader with its
/// part of the tiles and a consumer with its workers. A tile's tasks are a chain; each is a buffer, which its reader
/// sends to a node that asks. When the buffer is judged, the reader hears of it, and sends the next buffer of the tile,
/// if there is one. A reader has the workload's window of tiles in flight, 0 standing for all; `options.window` is the
/// static request window of each worker. Reading itself takes no time. Deterministic. Throws Error (usage) for a bad
/// policy or window.
NodesResult simulate_streams(const NodesModel& all_nodes, const NodesWork& work, const NodesOptions& options);

/// The names that each of the two takes.
std::vector<std::string> node_policies();
std::vector<std::string> stream_policies();

}  // namespace starpath::lab
