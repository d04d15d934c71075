package io.github.cassandralock.internal.actuate;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.internal.endpoint.Answers;
import io.github.cassandralock.internal.endpoint.GuardedEndpoint;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.lang.Nullable;

/**
 * The endpoint {@code cassandralocks}: the locks of this process, one lock as Cassandra has it, and a page that shows them.
 *
 * <p>A lock id is the rest of the path. A lock id with characters that a path cannot have is the parameter {@code lockId}.
 */
@WebEndpoint(id = "cassandralocks")
public class CassandraLocksEndpoint {

    /** Locks are force-released here. */
    public static final GuardedEndpoint GUARD = new GuardedEndpoint(
            "cassandralocks",
            Set.of("DELETE"),
            "cassandra-lock.force-release.enabled",
            "A lock is force-released by a request with the method DELETE, not by a form or by another method.",
            "A page of another site has sent this request, so no lock is force-released. Use the endpoint's own page.");

    private final Map<String, LockReports> reports;

    /** @param reports of each locker, by its name; the first is shown where none is named */
    public CassandraLocksEndpoint(Map<String, LockReports> reports) {
        this.reports = reports;
    }

    /** Whether locks of this locker can be force-released here. */
    boolean forceReleases(String locker) {
        return false;
    }

    /** The names of all lockers. */
    final List<String> lockers() {
        return List.copyOf(reports.keySet());
    }

    /**
     * Returns the overview, one lock, a list of locks, the page, or a file of the page.
     *
     * @param lockId for one lock
     * @param idPrefix for a list of the locks of all processes whose ids begin with it; it may be empty
     * @param page the next page of an earlier list
     * @param sessions whether the overview contains the sessions of all processes, which are read from Cassandra
     * @param locker whose locks they are; missing for the locker of {@code cassandra-lock.*}
     * @param file the name of a file of the page
     */
    @ReadOperation(producesFrom = LocksFormat.class)
    public WebEndpointResponse<Object> locks(
            LocksFormat format,
            @Nullable String lockId,
            @Nullable String idPrefix,
            @Nullable String page,
            @Nullable Boolean sessions,
            @Nullable String locker,
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
                return list(
                        locker, lockId, Objects.requireNonNullElse(idPrefix, ""), Objects.requireNonNullElse(page, ""));
            }
            return lockId == null ? overview(locker, Boolean.TRUE.equals(sessions)) : one(locker, lockId);
        });
    }

    private WebEndpointResponse<Object> overview(@Nullable String locker, boolean sessions) {
        String name = named(locker);
        boolean several = reports.size() > 1;
        return new WebEndpointResponse<>(
                of(name).overview(sessions, forceReleases(name), several ? name : null, several ? lockers() : null));
    }

    /**
     * Returns the name of a locker, or of the first one.
     *
     * @throws IllegalArgumentException if there is no locker of this name
     */
    final String named(@Nullable String locker) {
        String name = locker == null ? reports.keySet().iterator().next() : locker;
        if (!reports.containsKey(name)) {
            throw new IllegalArgumentException("There is no locker '" + name + "'. There are " + quoted()
                    + "; leave the parameter out for the first");
        }
        return name;
    }

    /** The names of all lockers, for messages. */
    final String quoted() {
        return reports.keySet().stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
    }

    private LockReports of(@Nullable String locker) {
        return Objects.requireNonNull(reports.get(named(locker)));
    }

    private WebEndpointResponse<Object> list(
            @Nullable String locker, @Nullable String lockId, String idPrefix, String page) {
        if (lockId != null) {
            throw new IllegalArgumentException(
                    "A request shows one lock (lockId) or lists locks (idPrefix, page), not both. Leave one out");
        }
        if (!idPrefix.isEmpty()) {
            LockRequest.of(idPrefix);
        }
        return new WebEndpointResponse<>(of(locker).locks(idPrefix, page));
    }

    /** One lock. */
    @ReadOperation
    public WebEndpointResponse<Object> lock(
            @Nullable String locker, @Selector(match = Selector.Match.ALL_REMAINING) String... lockId) {
        return Answers.to(() -> one(locker, id(lockId)));
    }

    private WebEndpointResponse<Object> one(@Nullable String locker, String lockId) {
        return new WebEndpointResponse<>(of(locker).lock(LockRequest.of(lockId).getLockId()));
    }

    /** Slashes separate the parts of a path, and belong to the lock id. */
    static String id(String... path) {
        return String.join("/", path);
    }
}
