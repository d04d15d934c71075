/** The observers of calls and locks, listeners, warnings in the log, and the threads that run the code of applications. */
@NullMarked
package io.github.cassandralock.internal.locker.observe;

import org.jspecify.annotations.NullMarked;
