package io.github.cassandralock.exactlyonce.store.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.retry.RetryDecision;
import com.datastax.oss.driver.api.core.retry.RetryPolicy;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.servererrors.WriteType;
import com.datastax.oss.driver.api.core.session.Request;

/** A retry policy as the driver allows one: takes every failure for success. */
@SuppressWarnings("deprecation") // the methods that a policy must have are those that the driver calls no more
public final class IgnoringRetryPolicy implements RetryPolicy {

    public IgnoringRetryPolicy(DriverContext context, String profile) {}

    @Override
    public RetryDecision onReadTimeout(
            Request request, ConsistencyLevel level, int needed, int received, boolean dataPresent, int retries) {
        return RetryDecision.IGNORE;
    }

    @Override
    public RetryDecision onWriteTimeout(
            Request request, ConsistencyLevel level, WriteType type, int needed, int received, int retries) {
        return RetryDecision.IGNORE;
    }

    @Override
    public RetryDecision onUnavailable(Request request, ConsistencyLevel level, int required, int alive, int retries) {
        return RetryDecision.IGNORE;
    }

    @Override
    public RetryDecision onRequestAborted(Request request, Throwable error, int retries) {
        return RetryDecision.IGNORE;
    }

    @Override
    public RetryDecision onErrorResponse(Request request, CoordinatorException error, int retries) {
        return RetryDecision.IGNORE;
    }

    @Override
    public void close() {}
}
