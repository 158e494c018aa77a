// The small control messages between manager and workers. Tiles and results never travel in them. Pure.
#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "workflow/concrete_workflow.hpp"

namespace starpath::mpi {

using workflow::Handout;
using workflow::StageInstance;

/// The values in which all ranks of a job must agree, or their results could not be one result.
struct Agreement {
  std::string version;     // of starpath
  std::string slide;       // fingerprint
  std::string parameters;  // everything that changes results, as JSON
  friend bool operator==(const Agreement&, const Agreement&) = default;
};

// --- worker to manager ---

/// The first message of a rank that is ready to work.
struct Hello {
  Agreement agreement;
};
/// Room for so many stage instances more.
struct Request {
  std::int64_t instances;
  std::vector<int> cannot = {};  // stages that no worker of this rank can run; the first request says so
};
/// A stage of a tile is done: this rank keeps its data. With `over` the tile is: its results are on the disk, or it was
/// given up.
struct Finished {
  std::int64_t tile;
  bool failed, skipped;  // given up; skipped as background
  std::int64_t found;    // nuclei
  std::string failure;   // a line for the user; empty unless failed
  int stage = 0;
  bool over = true;
};
/// An instance that was assigned and will not be done here: it would begin a tile after Drop, or the data that these
/// stages wrote for it could not be had.
struct Returned {
  StageInstance instance;
  std::vector<int> vanished;
};
/// This rank can exchange buffers with the others. Its introduction for them, which the manager passes on unread.
struct Ready {
  std::string introduction;
};
/// The job is to stop: the user wants it (SIGTERM), or this rank must.
struct Interrupted {};
/// This rank gives up, after so many Finished and Returned; its last message.
struct Failed {
  int kind;  // an ErrorKind
  std::string reason;
  std::int64_t answered;
};
/// Everything is done and closed, after so many Finished and Returned; the last message of a rank.
struct Bye {
  std::int64_t answered;
  std::string books;  // which worker ran what; the manager passes it on unread
};

// --- manager to worker ---

/// The rank takes part.
struct Welcome {};
/// It does not, and leaves without a word.
struct Refused {
  std::string reason;
};
struct Assign {
  std::vector<Handout> instances;
};
/// Nobody needs the data that this rank keeps of these tiles.
struct Forget {
  std::vector<std::int64_t> tiles;
};
/// All ranks are ready: how they introduced themselves.
struct Begin {
  std::vector<std::string> introductions;
};
/// This rank gave up: it answers no rank that wants its data.
struct Lost {
  int rank;
};
/// No tile is to be begun any more; those begun are to be finished. Unless `begun`, Begin does not come any more.
struct Drop {
  bool begun = false;
};
/// No instance follows the `assigned` ones that this rank got, and no other rank needs the data that it keeps.
struct End {
  std::int64_t assigned;
};

// --- both ways ---

/// The sender lives.
struct Alive {};

using ToManager = std::variant<Hello, Ready, Request, Finished, Returned, Interrupted, Failed, Bye, Alive>;
using ToWorker = std::variant<Welcome, Refused, Begin, Assign, Forget, Lost, Drop, End, Alive>;

}  // namespace starpath::mpi
