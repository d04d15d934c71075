/** The starter as an application sees it, on real Cassandra nodes. Runs on Spring Boot 3.5 and on 4.1. */
@NullMarked
package io.github.cassandralock.it;

import org.jspecify.annotations.NullMarked;
