package io.github.cassandralock.sample.window;

/**
 * An output. Nothing in it says which copy made it.
 *
 * @param step which step it is of: outputs count 1, 2, 3, …
 * @param average of the numbers in the window
 * @param numbers how many these are
 * @param increments how often the counter was to be raised up to this step
 */
record Average(long step, double average, int numbers, long increments) {}
