package io.github.cassandralock.exactlyonce.store.redis;

import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.Set;

/**
 * Determines what a failed request means. Only the server's errors by which it refuses to run a script are certain. Everything else
 * is unknown: time-outs, lost connections, cancelled requests, and errors within the script.
 */
final class RedisFailures {

    /** No permission; missing or wrong password; a key of another type; a server of a cluster that does not have the key. */
    private static final Set<String> REFUSED = Set.of("NOPERM", "NOAUTH", "WRONGPASS", "WRONGTYPE", "MOVED", "ASK");

    /** No memory, disk errors, a replica, starting, a script is running, no master, too few replicas, resharding. */
    private static final Set<String> NOT_APPLIED = Set.of(
            "OOM", "MISCONF", "READONLY", "LOADING", "BUSY", "MASTERDOWN", "NOREPLICAS", "CLUSTERDOWN", "TRYAGAIN");

    private RedisFailures() {}

    static FailureMeaning of(Throwable failure) {
        if (!(failure instanceof RedisCommandExecutionException)) {
            return FailureMeaning.UNKNOWN;
        }
        String code = String.valueOf(failure.getMessage()).split(" ", 2)[0];
        if (REFUSED.contains(code)) {
            return FailureMeaning.REFUSED;
        }
        return NOT_APPLIED.contains(code) ? FailureMeaning.NOT_APPLIED : FailureMeaning.UNKNOWN;
    }
}
