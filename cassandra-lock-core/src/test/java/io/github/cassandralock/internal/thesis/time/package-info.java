@NullMarked
package io.github.cassandralock.internal.thesis.time;

import org.jspecify.annotations.NullMarked;
