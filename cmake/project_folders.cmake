# The folders with the project's C, C++ and CUDA sources.
set(project_folders base workflow estimator sched_policies codelets pipelines comparison pages loops mpi runs io lab apps include support
                    tests bench)
