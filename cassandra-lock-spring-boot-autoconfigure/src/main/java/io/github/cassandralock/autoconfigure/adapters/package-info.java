/** The locker as the locks of other libraries. */
@NullMarked
package io.github.cassandralock.autoconfigure.adapters;

import org.jspecify.annotations.NullMarked;
