/** Tests with real threads: races of a few threads that repeat a scenario, and many threads under load. */
@NullMarked
package io.github.cassandralock.internal.threads;

import org.jspecify.annotations.NullMarked;
