@NullMarked
package io.github.cassandralock.internal.locker.call;

import org.jspecify.annotations.NullMarked;
