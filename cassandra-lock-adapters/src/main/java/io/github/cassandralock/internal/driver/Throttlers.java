package io.github.cassandralock.internal.driver;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.session.throttling.RequestThrottler;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.session.throttling.PassThroughRequestThrottler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Request throttlers of sessions. In their queues, renewals of leases wait behind the application's requests. */
public final class Throttlers {

    private static final Logger log = LoggerFactory.getLogger(Throttlers.class);

    private Throttlers() {}

    /** Logs a warning if requests of this session, which the locks use, may wait in a queue. Does not block. */
    public static void warnOf(CqlSession session) {
        if (session.getContext() instanceof InternalDriverContext context) {
            RequestThrottler throttler = context.getRequestThrottler();
            if (throttler != null && !(throttler instanceof PassThroughRequestThrottler)) {
                log.warn(
                        "The session of the locks has a request throttler ({}). Renewals of leases wait behind all"
                                + " other requests of the session. Locks are lost if renewals wait for too long. Give"
                                + " the locks a session of their own without a throttler (cassandra-lock.session-bean)",
                        throttler.getClass().getSimpleName());
            }
        }
    }
}
