/** The port by which processes send each other notices, and its certificates. */
@NullMarked
package io.github.cassandralock.autoconfigure.notices;

import org.jspecify.annotations.NullMarked;
