/** Where effects leave the queues: registers, and stores with local transactions. */
@NullMarked
package io.github.cassandralock.exactlyonce.sink;

import org.jspecify.annotations.NullMarked;
