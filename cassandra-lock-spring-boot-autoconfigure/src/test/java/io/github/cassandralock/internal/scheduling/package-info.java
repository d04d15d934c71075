@NullMarked
package io.github.cassandralock.internal.scheduling;

import org.jspecify.annotations.NullMarked;
