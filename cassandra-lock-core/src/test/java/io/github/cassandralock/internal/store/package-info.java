@NullMarked
package io.github.cassandralock.internal.store;

import org.jspecify.annotations.NullMarked;
