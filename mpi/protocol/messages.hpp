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
/// This rank can exchange buffers with the others; what they are to know of it, which the manager passes on unread.
struct Ready {
  std::string introduction;
};
/// The job is to stop: the user wants it (SIGTERM), or this rank must.
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
/// All ranks are ready: how they introduced themselves.
struct Begin {
  std::vector<std::string> introductions;
};
/// No tile follows the so many that were assigned to this rank. With `drop`, those not begun are to be left, and unless
/// `begun`, Begin does not come any more.
struct End {
  std::int64_t assigned;
  bool drop;
  bool begun = false;
};

// --- both ways ---

/// The sender lives.
struct Alive {};

using ToManager = std::variant<Hello, Ready, Request, Finished, Interrupted, Failed, Bye, Alive>;
using ToWorker = std::variant<Welcome, Refused, Begin, Assign, End, Alive>;

}  // namespace starpath::cluster
