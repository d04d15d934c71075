/** Values as bytes: the codecs of users, and the encoding of this module's own registers. */
@NullMarked
package io.github.cassandralock.exactlyonce.bytes;

import org.jspecify.annotations.NullMarked;
