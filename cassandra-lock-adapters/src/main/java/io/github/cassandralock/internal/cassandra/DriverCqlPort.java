package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;

/** The bare driver, for programs without Spring: application code receives the driver's exceptions. */
public record DriverCqlPort(CqlSession session) implements CqlPort {}
