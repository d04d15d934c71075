@NullMarked
package io.github.cassandralock.internal.locker;

import org.jspecify.annotations.NullMarked;
