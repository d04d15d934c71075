/** Faults, their order from a seed, and the nemesis that injects them. */
@NullMarked
package io.github.cassandralock.faults.nemesis;

import org.jspecify.annotations.NullMarked;
