// Ends as the command does where the processor lacks what the kernels were compiled for.
#include "apps/processor.hpp"

int main() { return starpath::apps::processor_is_new_enough() ? 0 : 7; }
