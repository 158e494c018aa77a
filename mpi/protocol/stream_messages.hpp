// Messages between ranks that do not pass the manager. The ends of a stream of tiles: the protocol of streams, a
// buffer's description, and its outcome. The ranks of a study: notes. Pixels never travel in these messages. Pure.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "mpi/protocol/stream.hpp"

namespace starpath::mpi {

/// Reader to consumer: a buffer is on its way, under its id as tag; it holds a tile, made for a round of judging.
struct Announcement {
  BufferSent sent;
  std::int64_t tile;
  int round;
  double read_seconds, compute_seconds;  // spent on this tile so far
  std::vector<double> facts;             // of the tile, in the order of Fact, the first ones; NaN: not known
  std::string note;                      // which only the pipeline reads
};

/// Consumer to reader: the outcome of a buffer.
struct Verdict {
  enum class Outcome {
    decided,  // and on the disk
    again,    // in the next round
    failed,   // could not be computed: read it again
    dropped,  // left undecided: the consumer gives up
  };
  BufferId buffer;
  Outcome outcome;
  bool skipped;              // decided: it is background
  std::int64_t found;        // decided: objects of the pipeline
  std::size_t device_class;  // that computed it …
  double seconds;            // … in so many; 0 for none
  std::string reason;        // why it failed, or for what reason it is decided as failed; empty otherwise
};
inline constexpr int kVerdictOutcomes = 4;

/// The progress or the outcome of one slide of a study, as text that only the runs read.
struct Note {
  std::string text;
};

using StreamMessage = std::variant<BufferRequest, Farewell, Announcement, NoBuffer, Verdict, Note>;

}  // namespace starpath::mpi
