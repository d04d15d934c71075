/**
 * The algorithm {@code ticket}: Lamport's bakery over quorum registers for who is next, sessions for who is alive.
 * Source: docs/protocol.md.
 */
@NullMarked
package io.github.cassandralock.internal.ticket;

import org.jspecify.annotations.NullMarked;
