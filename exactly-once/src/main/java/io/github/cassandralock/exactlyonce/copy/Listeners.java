package io.github.cassandralock.exactlyonce.copy;

import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of one copy. An exception of a listener is logged. It affects neither the copy nor the listeners after it.
 *
 * @param <L> their type
 * @param listeners in the order of the calls
 */
public record Listeners<L>(List<L> listeners) {

    private static final Logger log = LoggerFactory.getLogger(Listeners.class);

    public Listeners {
        listeners = List.copyOf(listeners);
    }

    /**
     * Whether to log a failure that repeats: at the 1st, 2nd, 4th, 8th … attempt.
     *
     * @param attempt from 1
     */
    public static boolean isToBeLogged(int attempt) {
        return Integer.bitCount(attempt) == 1;
    }

    /**
     * Calls each listener, in the caller's thread.
     *
     * @param event the method that is called
     */
    public void tell(Consumer<? super L> event) {
        for (L listener : listeners) {
            try {
                UserCode.run(() -> event.accept(listener));
            } catch (Throwable e) { // even a checked exception: Kotlin does not check them
                log.warn(
                        "The listener {} failed, which changes nothing for the copy",
                        listener,
                        UserFailures.describable(e));
            }
        }
    }
}
