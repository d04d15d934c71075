/** What endpoints share: their answers, and which requests they refuse. */
@NullMarked
package io.github.cassandralock.internal.endpoint;

import org.jspecify.annotations.NullMarked;
