/** How a start of the locks is reported: its stages, and what its failures mean. */
@NullMarked
package io.github.cassandralock.autoconfigure.startup;

import org.jspecify.annotations.NullMarked;
