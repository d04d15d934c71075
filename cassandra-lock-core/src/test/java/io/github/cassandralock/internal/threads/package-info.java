/** Real threads: a few that race each other through a scenario again and again, and many at once for a while. */
@NullMarked
package io.github.cassandralock.internal.threads;

import org.jspecify.annotations.NullMarked;
