/**
 * What applications with Reactor or coroutines use.
 */
@NullMarked
package io.github.cassandralock.reactor;

import org.jspecify.annotations.NullMarked;
