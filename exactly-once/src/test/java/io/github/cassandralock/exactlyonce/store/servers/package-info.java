@NullMarked
package io.github.cassandralock.exactlyonce.store.servers;

import org.jspecify.annotations.NullMarked;
