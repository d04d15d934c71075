@NullMarked
package io.github.cassandralock.internal.deadlock;

import org.jspecify.annotations.NullMarked;
