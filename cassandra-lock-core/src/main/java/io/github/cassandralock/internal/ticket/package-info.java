/**
 * The algorithm {@code ticket}: Lamport's bakery over quorum registers decides the order. Sessions decide which processes are
 * alive. Source: docs/protocol.md.
 */
@NullMarked
package io.github.cassandralock.internal.ticket;

import org.jspecify.annotations.NullMarked;
