/** Checks what the documentation says against the code that it is about. */
@NullMarked
package io.github.cassandralock.documentation;

import org.jspecify.annotations.NullMarked;
