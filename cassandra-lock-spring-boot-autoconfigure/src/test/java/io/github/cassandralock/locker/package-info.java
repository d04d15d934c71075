@NullMarked
package io.github.cassandralock.locker;

import org.jspecify.annotations.NullMarked;
