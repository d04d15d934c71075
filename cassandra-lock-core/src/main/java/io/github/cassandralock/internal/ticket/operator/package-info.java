/** What operators see of the locks, and how they break one (protocol, section 11). */
@NullMarked
package io.github.cassandralock.internal.ticket.operator;

import org.jspecify.annotations.NullMarked;
