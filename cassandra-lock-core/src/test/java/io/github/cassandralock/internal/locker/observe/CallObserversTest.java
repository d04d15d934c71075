package io.github.cassandralock.internal.locker.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.cassandralock.LockRequest;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a call costs that nobody follows: the test would fail if each call created something for nobody. It costs nothing. */
class CallObserversTest {

    private final Logger log = (Logger) LoggerFactory.getLogger(CallObservers.class);
    private final LockerWarnings warnings = LockerWarnings.with(delay -> new CompletableFuture<>());
    private final CallObservers observers =
            new CallObservers(() -> CallObserver.NONE, () -> 0, warnings.observerFailed());

    private CallObservers.ObservedCall asked() {
        return observers.requested(LockRequest.of("k"), "thread", true);
    }

    @AfterEach
    void resetLevel() {
        log.setLevel(null);
    }

    @Test
    void nothingIsCreatedForACallThatNobodyFollows() {
        log.setLevel(Level.INFO);
        assertThat(asked()).isSameAs(asked());
    }

    @Test
    void logFollowsCallsAtDebug() {
        log.setLevel(Level.DEBUG);
        assertThat(asked()).isNotSameAs(asked());
    }
}
