/** One copy: its thread, with its name and its end, and its listeners. */
@NullMarked
package io.github.cassandralock.exactlyonce.copy;

import org.jspecify.annotations.NullMarked;
