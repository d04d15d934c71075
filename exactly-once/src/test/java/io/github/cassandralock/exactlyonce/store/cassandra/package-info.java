@NullMarked
package io.github.cassandralock.exactlyonce.store.cassandra;

import org.jspecify.annotations.NullMarked;
