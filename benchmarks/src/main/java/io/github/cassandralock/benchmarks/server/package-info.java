/**
 * The servers that the locks' peers need: Redis, ZooKeeper, etcd and PostgreSQL from Debian's packages, started on free
 * loopback ports, each gone with its files when closed or when this JVM ends.
 * {@link io.github.cassandralock.benchmarks.server.PeerServer} is the way in.
 */
@NullMarked
package io.github.cassandralock.benchmarks.server;

import org.jspecify.annotations.NullMarked;
