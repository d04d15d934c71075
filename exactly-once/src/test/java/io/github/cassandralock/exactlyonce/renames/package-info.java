/** Renames, lost and restored parts amid copies that are restarted, on stores of every kind. */
@NullMarked
package io.github.cassandralock.exactlyonce.renames;

import org.jspecify.annotations.NullMarked;
