package io.github.cassandralock.internal.majority;

/**
 * The state of a cluster, for people.
 *
 * @param counts whether locks are taken in it
 * @param text why not, or how old it is
 */
public record ClusterState(String id, boolean counts, String text) {}
