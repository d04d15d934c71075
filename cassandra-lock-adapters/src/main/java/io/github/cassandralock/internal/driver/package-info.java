/** The threads of the driver, on which all locks depend. */
@NullMarked
package io.github.cassandralock.internal.driver;

import org.jspecify.annotations.NullMarked;
