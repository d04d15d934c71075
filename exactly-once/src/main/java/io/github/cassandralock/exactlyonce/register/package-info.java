/** Registers with versions, and the port to the stores that keep them. */
@NullMarked
package io.github.cassandralock.exactlyonce.register;

import org.jspecify.annotations.NullMarked;
