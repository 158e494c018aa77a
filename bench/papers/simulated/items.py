"""The numbered figures and tables of the four papers that hold results. What else is numbered are pictures, algorithms and
inputs: Table 5 of anthill-2010, Figures 1 to 7 and Table I of hybrid-pipelines-2012, Figures 1 to 5 of edc-2014, Figures 1
and 3 to 9 and Table I of hdss-2013."""

ITEMS = {
    "anthill-2010": {
        "Table 1": "errors of the estimator", "Figure 6": "size of tiles, synchronous and asynchronous copies",
        "Figure 7": "vector incrementer: number of concurrent copies", "Table 2": "the same: the number found while running",
        "Figure 8": "policies inside a node", "Table 3": "time on one core", "Table 4": "who ran what",
        "Figure 9": "streams, one node", "Figure 10": "streams, two different nodes", "Table 6": "who ran what",
        "Figure 11": "the best static windows", "Figure 12": "ODDS over time", "Figure 13": "streams, 14 equal nodes",
        "Figure 14": "streams, half of the nodes without GPU"},
    "hybrid-pipelines-2012": {
        "Figure 8": "which core drives which GPU", "Figure 9": "policies, pipelined or not", "Figure 10": "who ran what",
        "Figure 11": "locality and prefetching", "Table II": "windows", "Figure 12": "who ran what, by window",
        "Figure 13": "wrong speedups", "Figure 14": "8 to 100 nodes"},
    "edc-2014": {
        "Figure 6": "windows", "Figure 7": "who ran what", "Figure 8": "processors", "Figure 9": "wrong times",
        "Figure 10": "4 to 32 nodes"},
    "hdss-2013": {
        "Figure 2": "Qilin's shares", "Figure 10": "a GPU and cores", "Figure 11": "an FPGA and cores",
        "Figure 12": "first blocks", "Figure 13": "when workers end", "Figure 14": "share of the accelerator"},
}

# Items whose values a model computes by itself: none of Starpath's code runs. They are counted apart.
MODELS = {"anthill-2010 Figure 7": "reproduce_copies", "hybrid-pipelines-2012 Figure 8": "placement.py"}
