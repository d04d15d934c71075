@NullMarked
package io.github.cassandralock.internal.inspect;

import org.jspecify.annotations.NullMarked;
