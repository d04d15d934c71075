package io.github.cassandralock.internal.majority;

import io.github.cassandralock.spi.LockAlgorithm;

/**
 * One of the independent clusters.
 *
 * @param id the same in all processes; it never changes
 * @param algorithm takes locks in this cluster alone
 */
public record Cluster(String id, LockAlgorithm algorithm, BirthStore births, TokenRegister tokens) {}
