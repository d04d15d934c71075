/** What the locks survive, on real nodes and with real processes. */
@NullMarked
package io.github.cassandralock.faults;

import org.jspecify.annotations.NullMarked;
