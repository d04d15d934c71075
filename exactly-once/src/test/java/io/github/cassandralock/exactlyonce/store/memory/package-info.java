@NullMarked
package io.github.cassandralock.exactlyonce.store.memory;

import org.jspecify.annotations.NullMarked;
