/** A real browser, for tests of pages. */
@NullMarked
package io.github.cassandralock.testing.browser;

import org.jspecify.annotations.NullMarked;
