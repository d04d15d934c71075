@NullMarked
package io.github.cassandralock.internal.migration;

import org.jspecify.annotations.NullMarked;
