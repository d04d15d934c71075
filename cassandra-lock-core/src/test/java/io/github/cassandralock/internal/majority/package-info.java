@NullMarked
package io.github.cassandralock.internal.majority;

import org.jspecify.annotations.NullMarked;
