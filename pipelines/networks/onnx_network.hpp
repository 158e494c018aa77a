// Somebody's network: an ONNX file and the description beside it.
#pragma once
#include <cstdint>
#include <string>

#include "pipelines/networks/network_description.hpp"
#include "pipelines/networks/onnx_outline.hpp"

namespace starpath {

struct OnnxNetwork {
  std::string file;
  NetworkDescription description;  // both maps name an output of the file
  OnnxOutline outline;
  std::string bytes;   // of the file
  std::string digest;  // 16 hexadecimal digits, the same for equal files with equal descriptions
};

/// Every worker keeps the network in memory.
inline constexpr std::int64_t kMostNetworkBytes = std::int64_t{512} << 20;

/// The name of the description of `file`: its ending is toml instead of onnx.
std::string description_file_of(const std::string& file);

/// Reads both files. Throws Error{input}, one line that names the file: it cannot be read, is too large, is damaged
/// (outline_of_onnx, parse_network_description), or both contradict each other about input or outputs.
OnnxNetwork read_network(const std::string& file);

}  // namespace starpath
