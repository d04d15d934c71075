/** What the page shows: who did which step, and what came of it. The task does not need this package. */
@NullMarked
package io.github.cassandralock.sample.window.live;

import org.jspecify.annotations.NullMarked;
