/** What all stores of registers share. */
@NullMarked
package io.github.cassandralock.exactlyonce.store;

import org.jspecify.annotations.NullMarked;
