package io.github.cassandralock.internal.locker.call;

import io.github.cassandralock.internal.time.Timers;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses waits on threads on which all locks of the process depend. Such a thread would wait for an answer that it delivers
 * itself, and no lease would be renewed meanwhile. Thread-safe.
 */
public final class Waits {

    private static final Logger log = LoggerFactory.getLogger(Waits.class);
    private static final String ELSEWHERE =
            "go on on a thread of your own, for example by thenAcceptAsync(…, executor)";

    private final Supplier<Optional<String>> duty;
    private final Timers timers;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * @param duty why the calling thread must not wait, besides the timers. It completes the sentence "it is …", and is empty if
     *     the thread may wait
     * @param timers their threads must not wait
     */
    public Waits(Supplier<Optional<String>> duty, Timers timers) {
        this.duty = duty;
        this.timers = timers;
    }

    private Optional<String> dutyOfThisThread() {
        return duty.get()
                .or(() -> timers.areOnThisThread() ? Optional.of("a thread of the locks' timers") : Optional.empty());
    }

    /**
     * Refuses a call that waits.
     *
     * @param what the call does not do; begins the message
     * @param instead the method that does not wait; empty if there is none
     * @throws IllegalStateException if the calling thread must not wait
     */
    public void requireAllowed(Supplier<String> what, String instead) {
        Optional<String> duty = dutyOfThisThread();
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

    /** Whether the calling thread may wait for a release. Logs once if not. */
    boolean areAllowedForRelease() {
        Optional<String> duty = dutyOfThisThread();
        if (duty.isPresent() && warned.compareAndSet(false, true)) {
            log.warn(
                    "A lock is closed on thread '{}', which must not wait: it is {}. There, close() does not wait for"
                            + " the release; call closeAsync() instead. This is logged once",
                    Thread.currentThread().getName(),
                    duty.get());
        }
        return duty.isEmpty();
    }
}
