// What every rank of a job does, whatever it runs.
#pragma once
#include <functional>
#include <memory>

#include "apps/run/run_request.hpp"
#include "mpi/job/job.hpp"

namespace starpath::apps {

/// Joins the ranks of the launcher's job, and takes this one's share of the cores. Throws Error{usage} for what ranks
/// cannot do.
std::unique_ptr<mpi::Job> join_job(const RunRequest& request, mpi::MpiUse use);

/// Does what a rank does. What goes wrong in it is told to the other ranks, and thrown.
void with_failures_told(mpi::Job& job, const std::function<void()>& work);

/// The same on another rank than 0, which tells what goes wrong. Returns the exit code.
int run_as_worker_rank(mpi::Job& job, const std::function<void()>& work);

}  // namespace starpath::apps
