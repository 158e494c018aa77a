// Control messages as bytes.
#pragma once
#include <optional>
#include <string>

#include "mpi/protocol/data_messages.hpp"
#include "mpi/protocol/messages.hpp"
#include "mpi/protocol/stream_messages.hpp"

namespace starpath::mpi {

/// JSON arrays: ["name", fields…]. docs/ranks.md lists them. Text that is no UTF-8 is repaired.
std::string encode(const ToManager& message);
std::string encode(const ToWorker& message);
std::string encode(const StreamMessage& message);
/// Such an array, the end of a line, and the data as they are.
std::string encode(const DataMessage& message);

/// Nothing for bytes that are no such message: the sender is another version of starpath.
std::optional<ToManager> decode_to_manager(const std::string& bytes);
std::optional<ToWorker> decode_to_worker(const std::string& bytes);
std::optional<StreamMessage> decode_stream(const std::string& bytes);
std::optional<DataMessage> decode_data(const std::string& bytes);

}  // namespace starpath::mpi
