/** What applications use to have lock providers of ShedLock beside others. */
@NullMarked
package io.github.cassandralock.shedlock;

import org.jspecify.annotations.NullMarked;
