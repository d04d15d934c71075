@NullMarked
package io.github.cassandralock.internal.shedlock;

import org.jspecify.annotations.NullMarked;
