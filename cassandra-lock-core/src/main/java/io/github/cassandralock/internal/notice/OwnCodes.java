package io.github.cassandralock.internal.notice;

import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The codes of this process's present session and, for a lease, of the session before it. Notices to the earlier session have no
 * effect. But their code shows that the sender belongs to the fleet. Its connection stays, and the sender does not avoid this
 * address. Thread-safe; never blocks.
 */
final class OwnCodes {

    private final long leaseNanos;
    private final Ticker ticker;

    /** The latest first. */
    private final AtomicReference<List<Own>> own = new AtomicReference<>(List.of());

    /** @param replacedAt null for the present session */
    private record Own(
            UUID session, NoticeCode code, @Nullable Long replacedAt) {

        private Own replaced(long at) {
            return new Own(session, code, at);
        }
    }

    OwnCodes(Duration lease, Ticker ticker) {
        this.leaseNanos = lease.toNanos();
        this.ticker = ticker;
    }

    /** Makes this session the present one. */
    void open(UUID session, NoticeCode code) {
        long now = ticker.nanos();
        own.updateAndGet(before -> Stream.concat(
                        Stream.of(new Own(session, code, null)),
                        before.stream().limit(1).map(last -> last.replaced(now)))
                .toList());
    }

    /** The code of frames to this session. Empty if it is no session of this process, or was replaced a lease ago. */
    Optional<NoticeCode> of(UUID session) {
        return Objects.requireNonNull(own.get()).stream()
                .filter(mine -> mine.session().equals(session) && !isOver(mine))
                .map(Own::code)
                .findFirst();
    }

    private boolean isOver(Own mine) {
        Long at = mine.replacedAt();
        return at != null && ticker.nanos() - at >= leaseNanos;
    }
}
