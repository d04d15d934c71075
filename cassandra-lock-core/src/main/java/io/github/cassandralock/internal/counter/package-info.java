/**
 * What a process counts of its sessions, leases and notices, for operators. Nothing in here decides anything.
 */
@NullMarked
package io.github.cassandralock.internal.counter;

import org.jspecify.annotations.NullMarked;
