// Control messages as bytes.
#pragma once
#include <optional>
#include <string>

#include "mpi/protocol/messages.hpp"
#include "mpi/protocol/stream_messages.hpp"

namespace starpath::cluster {

/// JSON arrays: ["name", fields…]. docs/cluster.md lists them. Text that is no UTF-8 is repaired.
std::string encode(const ToManager& message);
std::string encode(const ToWorker& message);
std::string encode(const StreamMessage& message);

/// Nothing for bytes that are no such message: the sender is another version of starpath.
std::optional<ToManager> decode_to_manager(const std::string& bytes);
std::optional<ToWorker> decode_to_worker(const std::string& bytes);
std::optional<StreamMessage> decode_stream(const std::string& bytes);

}  // namespace starpath::cluster
