/** Registers in Redis, changed by one script. */
@NullMarked
package io.github.cassandralock.exactlyonce.store.redis;

import org.jspecify.annotations.NullMarked;
