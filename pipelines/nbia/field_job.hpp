// One field on its way through NBIA: its buffers, its tasks, its votes.
#pragma once
#include <starpu.h>

#include <cstddef>
#include <optional>

#include "io/slides/working_slide.hpp"
#include "pipelines/nbia/decision.hpp"
#include "pipelines/nbia/field_images.hpp"
#include "pipelines/nbia/field_tasks.hpp"
#include "pipelines/nbia/fields.hpp"
#include "pipelines/nbia/model.hpp"
#include "pipelines/nbia/model_data.hpp"
#include "pipelines/run/tile_loop.hpp"

namespace starpath {

class FieldJob : public TileJob {
 public:
  /// `recalc_rate`: see is_recalculated(). The job's events go to `loop`.
  FieldJob(const Field& field, const NbiaModel& model, const ModelData& data, const io::WorkingSlide& slide,
           double recalc_rate, TileLoop& loop);
  ~FieldJob() override { release(); }

  void start(int) override { look(0); }
  bool advance() override;
  bool over() const override { return decision_.has_value(); }
  void reset() override { release(); }
  FieldTasks& tasks() override { return tasks_; }
  /// A round is a level. The pixels stay with this job, so that a field is read once for all of its levels. Source:
  /// anthill-2010, section 2 (an undecided tile goes back to the start).
  void read(int round) override;
  TileBuffer buffer(int round) override;
  void judge(int round, TileBuffer buffer) override;

  const Field& field() const { return field_; }
  /// Side of the level that was looked at last.
  int side() const { return model_.levels[level_].side; }
  /// The decision, once advance() has returned false. For a field that is given up, the decision that is recorded
  /// instead.
  NbiaDecision decision() const { return decision_.value_or(decision_of({}, side())); }
  /// Lets go of the buffers.
  void release();

 private:
  void look(std::size_t level);
  void vote(starpu_data_handle_t image);

  const Field field_;
  const NbiaModel& model_;
  const ModelData& data_;
  const double recalc_rate_;
  FieldTasks tasks_;
  std::size_t level_ = 0;  // the last one looked at
  FieldImages images_;
  TileBuffer judged_;    // of a reader
  bool judges_ = false;  // for a reader, which sends the next level if it is needed
  starpu_data_handle_t voted_ = nullptr;
  std::optional<NbiaDecision> decision_;
};

}  // namespace starpath
