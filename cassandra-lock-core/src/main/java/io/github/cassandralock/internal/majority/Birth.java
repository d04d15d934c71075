package io.github.cassandralock.internal.majority;

import java.util.UUID;

/**
 * The birth row of a cluster.
 *
 * @param incarnation names what the tables contain: a cluster that has forgotten its tables gets another one
 * @param agreement what all processes that share locks have to have configured alike: {@link
 *     MajoritySettings#agreement}
 */
public record Birth(UUID incarnation, String agreement, Maturity maturity) {}
