// Finds the variables that launchers leave in the environment.
#include <cstdlib>

#include "mpi/network/network.hpp"

namespace starpath::mpi {

int launched_ranks() {
  // Open MPI's mpirun; MPICH's and Intel's, and Slurm's pmi2; Slurm's pmix, which does not tell the number elsewhere.
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* value = std::getenv(name)) return std::atoi(value);
  if (std::getenv("PMIX_RANK") != nullptr)
    if (const char* value = std::getenv("SLURM_STEP_NUM_TASKS")) return std::atoi(value);
  return 1;
}

int launched_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if (const char* value = std::getenv(name)) return std::atoi(value);
  return 0;
}

}  // namespace starpath::mpi
