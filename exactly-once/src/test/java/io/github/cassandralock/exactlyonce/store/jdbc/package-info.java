@NullMarked
package io.github.cassandralock.exactlyonce.store.jdbc;

import org.jspecify.annotations.NullMarked;
