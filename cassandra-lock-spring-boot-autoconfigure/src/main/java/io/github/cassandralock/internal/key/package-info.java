/** Keys of annotations: expressions whose every part is checked, and the types that may be a part. */
@NullMarked
package io.github.cassandralock.internal.key;

import org.jspecify.annotations.NullMarked;
