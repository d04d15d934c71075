/** The transactions of sinks, begun by a transaction manager of Spring, so that repositories and templates take part in them. */
@NullMarked
package io.github.cassandralock.internal.transactions;

import org.jspecify.annotations.NullMarked;
