package io.github.cassandralock.testing.results;

import io.github.cassandralock.testing.statistics.Figures;

/**
 * What one counted turn gave.
 *
 * @param handOverMs from one hold to the next that waited for it; not a number if no holder waited
 * @param quiet whether the compilers were quiet when the turn began to count
 */
public record Measured(Figures figures, double handOverMs, Usage usage, boolean quiet) {}
