@NullMarked
package io.github.cassandralock.exactlyonce.autoconfigure;

import org.jspecify.annotations.NullMarked;
