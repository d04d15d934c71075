@NullMarked
package io.github.cassandralock.autoconfigure.notices;

import org.jspecify.annotations.NullMarked;
