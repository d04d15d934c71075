@NullMarked
package io.github.cassandralock.thesis.time;

import org.jspecify.annotations.NullMarked;
