// What every rank of a job does, whatever it runs.
#pragma once
#include <functional>
#include <memory>

#include "mpi/job/job.hpp"
#include "runs/run_listener.hpp"
#include "runs/run_request.hpp"

namespace starpath {

/// Joins the ranks of the launcher's job, and takes this one's share of the cores. The listener, which must outlive the
/// job, hears which ranks are lost. Throws Error{usage} for what ranks cannot do.
std::unique_ptr<mpi::Job> join_job(const RunRequest& request, mpi::MpiUse use, RunListener& listener);

/// Does what a rank does. What goes wrong in it is told to the other ranks, and thrown.
void with_failures_told(mpi::Job& job, const std::function<void()>& work);

/// The same on another rank than 0, which tells what goes wrong: here nothing is thrown.
void run_as_worker_rank(mpi::Job& job, const std::function<void()>& work);

}  // namespace starpath
