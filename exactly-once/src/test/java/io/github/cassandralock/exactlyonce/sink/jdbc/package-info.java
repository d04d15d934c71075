@NullMarked
package io.github.cassandralock.exactlyonce.sink.jdbc;

import org.jspecify.annotations.NullMarked;
