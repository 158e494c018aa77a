// The board: how policies are judged.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lab/experiments/runs.hpp"

namespace starpath::lab {

/// Runs every policy on every machine and workload of the board for these seeds, and writes board.json and board.md
/// into the folder `out`. `report` hears of failures and of progress, from any thread, one at a time. Returns whether
/// all runs succeeded. Throws Error{output} when the files cannot be written.
bool make_board(const std::vector<std::uint64_t>& seeds, const std::filesystem::path& out, const RunOptions& options,
                const std::function<void(const std::string& line)>& report);

}  // namespace starpath::lab
