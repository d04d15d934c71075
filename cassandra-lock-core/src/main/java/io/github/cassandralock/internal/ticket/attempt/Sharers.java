package io.github.cassandralock.internal.ticket.attempt;

import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The threads of this process that share slots of the handle that an attempt converts (lock modes, section 4). The attempt waits
 * for them after all other blockers. Used in the lock's mailbox, but for the obstacle.
 */
final class Sharers {

    private final Ticker ticker;
    private boolean gone;

    /** Since when the attempt waits for these threads alone; null if it does not. */
    private volatile @Nullable Long awaitedSince;

    /** @param gone whether no sharing thread is in the way */
    Sharers(Ticker ticker, boolean gone) {
        this.ticker = ticker;
        this.gone = gone;
    }

    boolean areGone() {
        return gone;
    }

    /** Records that no sharing thread is in the way, now and later. */
    void haveGone() {
        gone = true;
    }

    /** Records that the attempt waits for these threads alone from now on. */
    void markAwaited() {
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
