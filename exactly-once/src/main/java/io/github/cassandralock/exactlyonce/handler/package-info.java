/** Handlers whose copies run at the same time, and whose inputs take effect once. */
@NullMarked
package io.github.cassandralock.exactlyonce.handler;

import org.jspecify.annotations.NullMarked;
