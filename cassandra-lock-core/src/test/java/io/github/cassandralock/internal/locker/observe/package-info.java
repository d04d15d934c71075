@NullMarked
package io.github.cassandralock.internal.locker.observe;

import org.jspecify.annotations.NullMarked;
