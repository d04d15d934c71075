@NullMarked
package io.github.cassandralock.thesis.lease;

import org.jspecify.annotations.NullMarked;
