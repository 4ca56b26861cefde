"""wildtool: builds, extends, freezes and scores tool-use benchmarks in the manner of WildToolBench."""
