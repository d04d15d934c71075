package io.github.cassandralock.internal.majority;

import java.util.UUID;

/**
 * The birth row of a cluster.
 *
 * @param incarnation of the tables: a cluster that has forgotten its tables gets another one
 * @param agreement the configuration that all processes that share locks must have in common: {@link MajoritySettings#agreement}
 */
public record Birth(UUID incarnation, String agreement, Maturity maturity) {}
