@NullMarked
package io.github.cassandralock.internal.thesis.queue;

import org.jspecify.annotations.NullMarked;
