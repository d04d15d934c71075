/** What failures of the driver mean. What the stores do on real nodes is the integration tests' matter. */
@NullMarked
package io.github.cassandralock.internal.cassandra;

import org.jspecify.annotations.NullMarked;
