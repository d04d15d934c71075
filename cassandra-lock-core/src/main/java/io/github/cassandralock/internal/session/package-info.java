/**
 * Which processes are alive (protocol, section 4): the session of this process, which is renewed once per interval however many
 * locks it holds, and the watch over the sessions of other processes.
 */
@NullMarked
package io.github.cassandralock.internal.session;

import org.jspecify.annotations.NullMarked;
