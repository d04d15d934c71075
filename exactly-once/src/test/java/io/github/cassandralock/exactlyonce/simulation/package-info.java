/**
 * A world in which the production classes run unchanged, in threads of which one runs at a time: at each request to a store, a seed
 * decides which goes on, and what becomes of the request.
 */
@NullMarked
package io.github.cassandralock.exactlyonce.simulation;

import org.jspecify.annotations.NullMarked;
