/** JVMs beside the test's own, and threads that do the same work. */
@NullMarked
package io.github.cassandralock.testing.processes;

import org.jspecify.annotations.NullMarked;
