// A rank as the two ends of streams on it see it.
#pragma once
#include <starpu.h>

#include <cstdint>
#include <exception>
#include <string>
#include <unordered_map>
#include <variant>

#include "io/results/field_store.hpp"
#include "io/slides/working_slide.hpp"
#include "mpi/protocol/stream_messages.hpp"
#include "pipelines/nbia/field_images.hpp"
#include "pipelines/nbia/field_tasks.hpp"
#include "pipelines/nbia/fields.hpp"
#include "pipelines/nbia/model.hpp"
#include "pipelines/nbia/model_data.hpp"
#include "pipelines/nbia/run_nbia.hpp"
#include "pipelines/run/tile_intake.hpp"

namespace starpath::mpi {

/// The events that reach the thread that runs the streams of a rank.
struct ReadingTaskEnded {
  std::int64_t field;
  FieldStage stage;
  TaskExecution run;
};
struct JudgingTaskEnded {
  BufferId buffer;
  FieldStage stage;
  TaskExecution run;
};
struct BufferArrived {
  BufferId buffer;
};
struct RankTold {
  int from;
  StreamMessage message;
};
using StreamEvent = std::variant<SourceEvent, ReadingTaskEnded, JudgingTaskEnded, BufferArrived, RankTold>;

/// The things that both ends of a run share. Members are for the thread that runs the streams, except post().
class StreamSite {
 public:
  StreamSite(const io::WorkingSlide& the_slide, const NbiaModel& the_model, const NbiaOptions& the_options)
      : slide(the_slide), model(the_model), options(the_options), data(the_model) {}
  virtual ~StreamSite() = default;
  StreamSite(const StreamSite&) = delete;
  StreamSite& operator=(const StreamSite&) = delete;

  /// Thread-safe.
  virtual void post(StreamEvent event) = 0;
  /// To any rank, this one too.
  virtual void tell(int rank, const StreamMessage& message) = 0;
  virtual void send(int rank, const Announcement& announcement, FieldImage image) = 0;
  /// False when the results cannot be written: the field is left.
  virtual bool commit(const io::FieldRecord& field) = 0;
  virtual void finished(const TileDone& field) = 0;
  virtual void count(FieldStage stage, int side, const TaskExecution& run) = 0;
  /// This rank cannot go on, because of the exception that is being handled: it takes leave of the others.
  virtual void give_up() = 0;

  const io::WorkingSlide& slide;
  const NbiaModel& model;
  const NbiaOptions& options;
  const ModelData data;
  std::unordered_map<std::int64_t, Field> fields;  // by index
};

}  // namespace starpath::mpi
