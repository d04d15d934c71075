/**
 * The health indicator of the locks, and the endpoint {@code cassandralocks} with its page.
 */
@NullMarked
package io.github.cassandralock.internal.actuate;

import org.jspecify.annotations.NullMarked;
