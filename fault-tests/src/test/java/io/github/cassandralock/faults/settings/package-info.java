/** What was asked for on the command line. */
@NullMarked
package io.github.cassandralock.faults.settings;

import org.jspecify.annotations.NullMarked;
