package io.github.cassandralock.internal.assembly;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import io.github.cassandralock.internal.cassandra.CqlPort;
import io.github.cassandralock.internal.cassandra.RequestFailure;

/**
 * The ways by which statements reach Cassandra.
 *
 * @param operations for tables, and for what administrators read and request
 * @param requests for requests of locks
 */
public record CassandraPorts(CqlSession session, CqlPort operations, CqlPort requests) {

    /** The bare driver. */
    public static CassandraPorts of(CqlSession session) {
        CqlPort driver = () -> session;
        return new CassandraPorts(session, driver, driver);
    }

    /** Returns what application code receives in place of a request's failure. */
    public Throwable translated(Throwable failure) {
        DriverException driver = RequestFailure.driverException(failure);
        return driver == null ? failure : requests.translated(null, driver);
    }
}
