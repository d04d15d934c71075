/** Sinks in a relational database, whose effects and indexes change in one transaction, and their outboxes. */
@NullMarked
package io.github.cassandralock.exactlyonce.sink.jdbc;

import org.jspecify.annotations.NullMarked;
