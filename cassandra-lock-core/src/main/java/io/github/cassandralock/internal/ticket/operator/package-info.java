/** What operators see of locks, and how they force-release one (protocol, section 11). */
@NullMarked
package io.github.cassandralock.internal.ticket.operator;

import org.jspecify.annotations.NullMarked;
