/**
 * Observes calls for locks and the holds that follow them, with Micrometer's observations.
 */
@NullMarked
package io.github.cassandralock.internal.observation;

import org.jspecify.annotations.NullMarked;
