/** Messages that take effect once on one PostgreSQL: by a handler of exactly once, and by a transactional outbox. */
@NullMarked
package io.github.cassandralock.benchmarks.outbox;

import org.jspecify.annotations.NullMarked;
