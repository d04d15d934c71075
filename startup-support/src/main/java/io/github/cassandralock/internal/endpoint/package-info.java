/** What endpoints share: their answers, and what browsers may do with them. */
@NullMarked
package io.github.cassandralock.internal.endpoint;

import org.jspecify.annotations.NullMarked;
