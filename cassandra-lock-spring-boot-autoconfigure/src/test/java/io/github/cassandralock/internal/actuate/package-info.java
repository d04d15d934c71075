@NullMarked
package io.github.cassandralock.internal.actuate;

import org.jspecify.annotations.NullMarked;
