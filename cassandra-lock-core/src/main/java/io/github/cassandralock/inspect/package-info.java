/**
 * Who holds locks and who waits for them: {@link io.github.cassandralock.inspect.LockInspector} and what it returns. It is for people:
 * what it shows may be outdated.
 */
@Experimental
@NullMarked
package io.github.cassandralock.inspect;

import io.github.cassandralock.Experimental;
import org.jspecify.annotations.NullMarked;
