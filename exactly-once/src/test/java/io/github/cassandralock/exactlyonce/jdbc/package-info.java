@NullMarked
package io.github.cassandralock.exactlyonce.jdbc;

import org.jspecify.annotations.NullMarked;
