@NullMarked
package io.github.cassandralock.exactlyonce.table.jdbc;

import org.jspecify.annotations.NullMarked;
