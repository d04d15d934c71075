@NullMarked
package io.github.cassandralock.internal.thesis.lease;

import org.jspecify.annotations.NullMarked;
