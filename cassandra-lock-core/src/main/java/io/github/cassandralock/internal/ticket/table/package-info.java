/** Reads and writes a lock's partition, repeats writes, and evicts the slots of dead sessions. */
@NullMarked
package io.github.cassandralock.internal.ticket.table;

import org.jspecify.annotations.NullMarked;
