# The folders with the project's C, C++ and CUDA sources.
set(project_folders base workflow estimator sched_policies codelets pipelines comparison pages loops mpi io lab apps include support
                    tests bench)
