@NullMarked
package io.github.cassandralock.autoconfigure.operator;

import org.jspecify.annotations.NullMarked;
