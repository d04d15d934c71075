@NullMarked
package io.github.cassandralock.autoconfigure.annotation;

import org.jspecify.annotations.NullMarked;
