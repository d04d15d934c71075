/**
 * Which processes are alive (protocol, section 4): the session of this process, renewed once per interval however many locks it
 * holds, and the watch over other sessions.
 */
@NullMarked
package io.github.cassandralock.internal.session;

import org.jspecify.annotations.NullMarked;
