/** Health of copies, and the endpoint {@code exactlyonce} with the parked messages. */
@NullMarked
package io.github.cassandralock.internal.exactlyonce.endpoint;

import org.jspecify.annotations.NullMarked;
