/** Failures of the start: what happened and what to do, as Spring Boot prints it. */
@NullMarked
package io.github.cassandralock.internal.failure;

import org.jspecify.annotations.NullMarked;
