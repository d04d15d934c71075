@NullMarked
package io.github.cassandralock.sample.window.surroundings;

import org.jspecify.annotations.NullMarked;
