@NullMarked
package io.github.cassandralock.thesis.queue;

import org.jspecify.annotations.NullMarked;
