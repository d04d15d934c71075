/** Registers in the memory of one process, for tests. */
@NullMarked
package io.github.cassandralock.exactlyonce.store.memory;

import org.jspecify.annotations.NullMarked;
