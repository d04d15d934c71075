@NullMarked
package io.github.cassandralock.internal.locker.held;

import org.jspecify.annotations.NullMarked;
