/** What stores and sinks in relational databases have in common: connections, what errors mean, what a database forgets. */
@NullMarked
package io.github.cassandralock.exactlyonce.jdbc;

import org.jspecify.annotations.NullMarked;
