/** What a store does to those who rely on it. */
@NullMarked
package io.github.cassandralock.faults.store;

import org.jspecify.annotations.NullMarked;
