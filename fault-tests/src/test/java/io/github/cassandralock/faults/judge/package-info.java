/** Tells from what workers noted whether a lock lied. */
@NullMarked
package io.github.cassandralock.faults.judge;

import org.jspecify.annotations.NullMarked;
