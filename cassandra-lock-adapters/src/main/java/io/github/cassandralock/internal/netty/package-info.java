/** Carries the frames of notices over TCP, with the Netty that the driver brings along (docs/notices.md, section 6). */
@NullMarked
package io.github.cassandralock.internal.netty;

import org.jspecify.annotations.NullMarked;
