package io.github.cassandralock.sample;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Sees to it, on every instance, that the books of the present slot of time are closed. */
@Component
final class ClosingJob {

    private final Bookkeeping bookkeeping;
    private final Duration period;
    private final Clock clock = Clock.systemUTC();

    ClosingJob(Bookkeeping bookkeeping, BankProperties properties) {
        this.bookkeeping = bookkeeping;
        this.period = properties.closing().period();
    }

    /** Looks first, without a lock: most of the time there is nothing to do. */
    @Scheduled(fixedDelayString = "${bank.closing.check}")
    void closeTheBooks() {
        Instant slot = slot(clock.instant());
        if (!bookkeeping.isClosed(slot)) {
            bookkeeping.close(slot);
        }
    }

    /** Instances whose clocks differ may disagree on which slot is the present one; each is closed once all the same. */
    private Instant slot(Instant now) {
        long millis = now.toEpochMilli();
        return Instant.ofEpochMilli(millis - Math.floorMod(millis, period.toMillis()));
    }
}
