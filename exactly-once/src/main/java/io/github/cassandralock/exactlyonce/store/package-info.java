/** What the stores of registers have in common. */
@NullMarked
package io.github.cassandralock.exactlyonce.store;

import org.jspecify.annotations.NullMarked;
