package io.github.cassandralock.internal.ticket.attempt;

import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Threads of this process that share the slots of the handle which an attempt converts (lock modes, section 4). The attempt waits for them
 * after all other blockers. Used in the lock's mailbox, but for the obstacle.
 */
final class Sharers {

    private final Ticker ticker;
    private boolean gone;

    /** Since when the attempt waits for them alone; null if it does not. */
    private volatile @Nullable Long awaitedSince;

    /** @param gone whether none of them is in the way */
    Sharers(Ticker ticker, boolean gone) {
        this.ticker = ticker;
        this.gone = gone;
    }

    boolean areGone() {
        return gone;
    }

    /** None of them is in the way any more, nor will be. */
    void haveGone() {
        gone = true;
    }

    /** From now on the attempt waits for them alone. */
    void await() {
        if (awaitedSince == null) {
            awaitedSince = ticker.nanos();
        }
    }

    /** May be called from any thread. */
    Optional<Obstacle> obstacle() {
        return Optional.ofNullable(awaitedSince)
                .map(since -> new Obstacle.Taken(
                        Optional.of("another thread of this process"), Duration.ofNanos(ticker.nanos() - since)));
    }
}
