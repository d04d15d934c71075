package io.github.cassandralock.internal.locker;

import java.util.Optional;

/** Which threads must not wait for Cassandra, because they deliver its answers, or renew leases. Thread-safe. */
@FunctionalInterface
public interface ThreadDuties {

    /** No thread has a duty. */
    ThreadDuties NONE = Optional::empty;

    /**
     * What the calling thread is, for messages; empty if it may wait. Does not block.
     *
     * @return completes the sentence "it is …"
     */
    Optional<String> ofThisThread();

    /** Both together. */
    default ThreadDuties or(ThreadDuties others) {
        return () -> ofThisThread().or(others::ofThisThread);
    }
}
