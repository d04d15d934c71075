/** Texts of messages: durations, and warnings of which thousands may come in a short time. */
@NullMarked
package io.github.cassandralock.internal.text;

import org.jspecify.annotations.NullMarked;
