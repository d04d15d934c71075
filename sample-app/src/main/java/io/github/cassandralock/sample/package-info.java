/** A small bank, the thesis's example: its accounts live in Cassandra and only locks protect them. */
@NullMarked
package io.github.cassandralock.sample;

import org.jspecify.annotations.NullMarked;
