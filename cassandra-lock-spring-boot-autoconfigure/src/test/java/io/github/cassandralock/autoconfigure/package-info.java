@NullMarked
package io.github.cassandralock.autoconfigure;

import org.jspecify.annotations.NullMarked;
