/** Tests of what people are shown about locks. */
@NullMarked
package io.github.cassandralock.inspect;

import org.jspecify.annotations.NullMarked;
