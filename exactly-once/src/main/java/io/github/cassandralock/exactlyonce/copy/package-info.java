/** One copy: its thread, with its name and its end. */
@NullMarked
package io.github.cassandralock.exactlyonce.copy;

import org.jspecify.annotations.NullMarked;
