/** The naive way to do what this module does, and what goes wrong with it. */
@NullMarked
package io.github.cassandralock.exactlyonce.naive;

import org.jspecify.annotations.NullMarked;
