@NullMarked
package io.github.cassandralock.sample.window;

import org.jspecify.annotations.NullMarked;
