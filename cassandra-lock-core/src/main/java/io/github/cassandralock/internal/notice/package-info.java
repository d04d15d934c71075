/**
 * What sessions tell each other about a lock, and the channel that carries it. Nothing here decides who holds a lock: every
 * notice is a fact that never becomes false, and a notice that is lost costs time only (docs/notices.md).
 */
@NullMarked
package io.github.cassandralock.internal.notice;

import org.jspecify.annotations.NullMarked;
