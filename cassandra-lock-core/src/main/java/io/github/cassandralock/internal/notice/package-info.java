/**
 * The notices that sessions exchange about a lock, and the channel that carries them. They never decide who holds a lock. Every
 * notice is a fact that never becomes false, and a lost notice only costs time (docs/notices.md).
 */
@NullMarked
package io.github.cassandralock.internal.notice;

import org.jspecify.annotations.NullMarked;
