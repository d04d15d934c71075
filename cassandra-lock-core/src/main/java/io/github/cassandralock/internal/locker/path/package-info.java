/** The nodes of paths that the owners of this process hold, each counted by its uses. */
@NullMarked
package io.github.cassandralock.internal.locker.path;

import org.jspecify.annotations.NullMarked;
