@NullMarked
package io.github.cassandralock.internal.thesis.shadow;

import org.jspecify.annotations.NullMarked;
