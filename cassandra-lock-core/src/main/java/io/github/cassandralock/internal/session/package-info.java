/**
 * Which processes are alive (protocol, section 4): the session of this process, and the watch over other sessions. The session is
 * renewed once per interval, however many locks it holds.
 */
@NullMarked
package io.github.cassandralock.internal.session;

import org.jspecify.annotations.NullMarked;
