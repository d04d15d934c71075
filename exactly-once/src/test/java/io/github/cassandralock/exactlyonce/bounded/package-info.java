/** What a ring holds stays bounded, however many messages have gone through it. */
@NullMarked
package io.github.cassandralock.exactlyonce.bounded;

import org.jspecify.annotations.NullMarked;
