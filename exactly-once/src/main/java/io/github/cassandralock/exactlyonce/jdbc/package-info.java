/** What stores and sinks in relational databases share: connections, the meaning of errors, and what a database forgets. */
@NullMarked
package io.github.cassandralock.exactlyonce.jdbc;

import org.jspecify.annotations.NullMarked;
