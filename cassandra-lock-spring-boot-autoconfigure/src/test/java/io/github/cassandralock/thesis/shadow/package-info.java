@NullMarked
package io.github.cassandralock.thesis.shadow;

import org.jspecify.annotations.NullMarked;
