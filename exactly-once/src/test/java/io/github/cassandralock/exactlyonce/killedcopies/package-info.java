/** Copies in processes of their own that are killed and stopped, over a real Cassandra and a real PostgreSQL. */
@NullMarked
package io.github.cassandralock.exactlyonce.killedcopies;

import org.jspecify.annotations.NullMarked;
