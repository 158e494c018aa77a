// What manager and workers tell each other: small control messages. Tiles and results never travel in them. Pure.
#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace starpath::cluster {

/// What all ranks of a job must agree in, or their results could not be one result.
struct Agreement {
  std::string version;     // of starpath
  std::string slide;       // fingerprint
  std::string parameters;  // everything that changes results
  friend bool operator==(const Agreement&, const Agreement&) = default;
};

// --- worker to manager ---

/// The first message of a rank that is ready to work.
struct Hello {
  Agreement agreement;
};
/// Room for so many tiles more.
struct Request {
  std::int64_t tiles;
};
/// The results of a tile are on the disk, or it was given up.
struct Finished {
  std::int64_t tile;
  bool failed, skipped;  // given up; skipped as background
  std::int64_t found;    // nuclei
  std::string failure;   // what to tell the user; empty unless failed
};
/// The user wants this rank to stop (SIGTERM).
struct Interrupted {};
/// This rank gives up, after so many Finished; its last message.
struct Failed {
  int kind;  // an ErrorKind
  std::string reason;
  std::int64_t finished;
};
/// Everything is done and closed, after so many Finished; the last message of a rank.
struct Bye {
  std::int64_t finished;
  std::string books;  // who ran what; the manager passes it on unread
};

// --- manager to worker ---

/// The rank takes part.
struct Welcome {};
/// It does not, and leaves without a word.
struct Refused {
  std::string reason;
};
struct Assign {
  std::vector<std::int64_t> tiles;
};
/// No tile follows the so many that were assigned to this rank. With `drop`, those not begun are to be left.
struct End {
  std::int64_t assigned;
  bool drop;
};

// --- both ways ---

/// The sender lives.
struct Alive {};

using ToManager = std::variant<Hello, Request, Finished, Interrupted, Failed, Bye, Alive>;
using ToWorker = std::variant<Welcome, Refused, Assign, End, Alive>;

}  // namespace starpath::cluster
