/** What applications use to declare handlers, sinks and pumps as beans. */
@NullMarked
package io.github.cassandralock.exactlyonce.spring;

import org.jspecify.annotations.NullMarked;
