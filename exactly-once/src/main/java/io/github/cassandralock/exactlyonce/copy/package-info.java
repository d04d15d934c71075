/** The thread of one copy: its name, its owner, its end. */
@NullMarked
package io.github.cassandralock.exactlyonce.copy;

import org.jspecify.annotations.NullMarked;
