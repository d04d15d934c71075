@NullMarked
package io.github.cassandralock.exactlyonce.store.redis;

import org.jspecify.annotations.NullMarked;
