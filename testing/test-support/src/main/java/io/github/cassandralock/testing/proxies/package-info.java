/** What stands between processes and nodes, and makes their connections slow or useless. */
@NullMarked
package io.github.cassandralock.testing.proxies;

import org.jspecify.annotations.NullMarked;
