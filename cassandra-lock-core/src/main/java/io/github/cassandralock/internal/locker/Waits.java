package io.github.cassandralock.internal.locker;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps threads from waiting on which all locks of the process depend: the answer that such a thread waits for would never come, and
 * no lease would be renewed meanwhile. Thread-safe.
 */
final class Waits {

    private static final Logger log = LoggerFactory.getLogger(AlgorithmLocker.class);
    private static final String ELSEWHERE =
            "go on on a thread of your own, for example by thenAcceptAsync(…, executor)";

    private final ThreadDuties duties;
    private final AtomicBoolean warned = new AtomicBoolean();

    Waits(ThreadDuties duties) {
        this.duties = duties;
    }

    /**
     * Refuses a call that waits.
     *
     * @param what the call would do; begins the message
     * @param instead the method that does the same without waiting; empty if there is none
     * @throws IllegalStateException if the calling thread must not wait
     */
    void requireAllowed(Supplier<String> what, String instead) {
        Optional<String> duty = duties.ofThisThread();
        if (duty.isPresent()) {
            throw new IllegalStateException(what.get() + " on thread '"
                    + Thread.currentThread().getName() + "', which must not wait: it is " + duty.get()
                    + ". Waiting there delays the answers of Cassandra and the renewals of all locks of the process. "
                    + (instead.isEmpty() ? capitalised(ELSEWHERE) : "Call " + instead + ", or " + ELSEWHERE));
        }
    }

    private static String capitalised(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    /** Whether the calling thread may wait for a release. If not, this is logged once. */
    boolean areAllowedForRelease() {
        Optional<String> duty = duties.ofThisThread();
        if (duty.isPresent() && warned.compareAndSet(false, true)) {
            log.warn(
                    "A lock is closed on thread '{}', which must not wait: it is {}. close() does not wait for the release there;"
                            + " call closeAsync() instead. This is logged once",
                    Thread.currentThread().getName(),
                    duty.get());
        }
        return duty.isEmpty();
    }
}
