package io.github.cassandralock.internal.locker.observe;

import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs, at DEBUG, how calls for locks begin and end. The algorithms log what happens in between. Costs nothing at other levels. */
record LoggedCalls(Ticker ticker) implements CallObserver {

    private static final Logger log = LoggerFactory.getLogger(LoggedCalls.class);

    @Override
    public Call asked(LockRequest request, String threadId, boolean waits) {
        if (!log.isDebugEnabled()) {
            return Call.UNOBSERVED;
        }
        String inMode = request.mode() == LockMode.EXCLUSIVE ? "" : " in mode " + request.mode();
        log.debug("Lock '{}': {}{} by {}", request.lockId(), waits ? "asked for" : "tried", inMode, threadId);
        return new LoggedCall(request.lockId(), inMode, threadId, ticker, ticker.nanos());
    }

    /** @param inMode part of a sentence; empty for {@link LockMode#EXCLUSIVE}, which most locks have */
    private record LoggedCall(String lockId, String inMode, String threadId, Ticker ticker, long askedAt)
            implements Call {

        @Override
        public Consumer<Optional<LockLostException>> granted() {
            log.debug("Lock '{}': granted{} to {} after {}", lockId, inMode, threadId, since(askedAt));
            long grantedAt = ticker.nanos();
            return loss -> log.debug(
                    "Lock '{}': closed by {} after {}{}{}",
                    lockId,
                    threadId,
                    since(grantedAt),
                    inMode,
                    loss.isPresent() ? ", lost before that" : "");
        }

        @Override
        public void refused() {
            log.debug("Lock '{}': refused{} to {}, because it is taken", lockId, inMode, threadId);
        }

        @Override
        public void failed(Throwable reason) {
            log.debug(
                    "Lock '{}': not granted{} to {}, which leaves after {}: {}",
                    lockId,
                    inMode,
                    threadId,
                    since(askedAt),
                    reason.toString());
        }

        private String since(long then) {
            return DurationText.of(Duration.ofNanos(ticker.nanos() - then));
        }
    }
}
