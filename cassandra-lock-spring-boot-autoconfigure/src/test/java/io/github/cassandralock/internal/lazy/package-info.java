@NullMarked
package io.github.cassandralock.internal.lazy;

import org.jspecify.annotations.NullMarked;
