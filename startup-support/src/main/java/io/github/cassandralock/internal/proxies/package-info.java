/** Proxies of the beans of a library, which aspects of the application match. */
@NullMarked
package io.github.cassandralock.internal.proxies;

import org.jspecify.annotations.NullMarked;
