@NullMarked
package io.github.cassandralock.sample;

import org.jspecify.annotations.NullMarked;
