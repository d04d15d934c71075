package io.github.cassandralock.internal.actuate;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.internal.endpoint.Answers;
import io.github.cassandralock.internal.endpoint.GuardedEndpoint;
import java.util.Objects;
import java.util.Set;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.lang.Nullable;

/**
 * The endpoint {@code cassandralocks}: the locks of this process, one lock as Cassandra has it, and a page that shows them.
 *
 * <p>A lock id is given as the rest of the path, or, if it has characters that a path cannot have, as the parameter {@code lockId}.
 */
@WebEndpoint(id = "cassandralocks")
public class CassandraLocksEndpoint {

    /** Locks are broken here. */
    public static final GuardedEndpoint GUARD = new GuardedEndpoint(
            "cassandralocks",
            Set.of("DELETE"),
            "cassandra-lock.force-release.enabled",
            "A lock is broken by a request with the method DELETE, not by a form or by another method.",
            "A page of another site has sent this request, so no lock is broken. Use the endpoint's own page.");

    private final LockReports reports;

    public CassandraLocksEndpoint(LockReports reports) {
        this.reports = reports;
    }

    /** Whether locks can be broken here. */
    boolean breaks() {
        return false;
    }

    /**
     * Returns the overview, one lock, a list of locks, the page, or a file of the page.
     *
     * @param lockId for one lock
     * @param idPrefix for a list of the locks of all processes whose ids begin with it; it may be empty
     * @param page the next page of an earlier list
     * @param sessions whether the overview contains the sessions of all processes, which are read from Cassandra
     * @param file the name of a file of the page
     */
    @ReadOperation(producesFrom = LocksFormat.class)
    public WebEndpointResponse<Object> locks(
            LocksFormat format,
            @Nullable String lockId,
            @Nullable String idPrefix,
            @Nullable String page,
            @Nullable Boolean sessions,
            @Nullable String file) {
        if (file != null) {
            return PageFiles.file(file)
                    .orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
        }
        if (format == LocksFormat.PAGE) {
            return PageFiles.page();
        }
        return Answers.to(() -> {
            if (idPrefix != null || page != null) {
                return list(lockId, Objects.requireNonNullElse(idPrefix, ""), Objects.requireNonNullElse(page, ""));
            }
            return lockId == null
                    ? new WebEndpointResponse<>(reports.overview(Boolean.TRUE.equals(sessions), breaks()))
                    : one(lockId);
        });
    }

    private WebEndpointResponse<Object> list(@Nullable String lockId, String idPrefix, String page) {
        if (lockId != null) {
            throw new IllegalArgumentException(
                    "A request shows one lock (lockId) or lists locks (idPrefix, page), not both. Leave one out");
        }
        if (!idPrefix.isEmpty()) {
            LockRequest.of(idPrefix);
        }
        return new WebEndpointResponse<>(reports.locks(idPrefix, page));
    }

    /** One lock. */
    @ReadOperation
    public WebEndpointResponse<Object> lock(@Selector(match = Selector.Match.ALL_REMAINING) String... lockId) {
        return Answers.to(() -> one(id(lockId)));
    }

    private WebEndpointResponse<Object> one(String lockId) {
        return new WebEndpointResponse<>(reports.lock(LockRequest.of(lockId).getLockId()));
    }

    /** Slashes separate the parts of a path, and belong to the lock id. */
    static String id(String... path) {
        return String.join("/", path);
    }
}
