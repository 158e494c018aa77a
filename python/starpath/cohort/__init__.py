"""`starpath cohort`: the slides of a study summed up by patient, and patients set side by side.

    python3 -m starpath cohort STUDY

The modules, in the order in which data passes them: `patients` (slides become patients), `branches` (patients in a tree,
which is cut), `group_table` (branches beside the groups of the list), `tables` and `heat_map` (files), `store`
(study.sqlite). `analysis` calls them; `command` has the command line. docs/cohort.md says what the numbers are.
"""
