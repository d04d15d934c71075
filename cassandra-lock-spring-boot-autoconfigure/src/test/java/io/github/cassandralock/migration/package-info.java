@NullMarked
package io.github.cassandralock.migration;

import org.jspecify.annotations.NullMarked;
