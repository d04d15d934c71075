package io.github.cassandralock.internal.actuate;

import io.github.cassandralock.inspect.QueueEntry;
import io.github.cassandralock.internal.inspect.LocalLock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A holder of a lock, or a request for it, in an answer of the endpoint. Unknown values are null.
 *
 * @param place HOLDER, WAITING, ARRIVING or COMPETING
 * @param mode how it holds or requests the lock: the name of a {@link io.github.cassandralock.LockMode}
 * @param permits how many may hold the lock at once, as it has requested it
 * @param thread the name of the thread, if it is a recorded thread of this process
 * @param threadId names the acquisition
 * @param since when it was acquired or requested, if the thread is recorded; otherwise, when the process last wrote its row
 * @param forMillis how long that is ago
 */
record QueueEntryBody(
        String place,
        String mode,
        int permits,
        ProcessBody process,
        boolean thisProcess,
        @Nullable String session,
        @Nullable String thread,
        @Nullable String threadId,
        @Nullable Long ticket,
        @Nullable Long attempt,
        @Nullable String since,
        @Nullable Long forMillis) {

    /** @param local the acquisition, if it is one of this process */
    static QueueEntryBody of(QueueEntry entry, Optional<LocalLock> local, Instant now) {
        Optional<Duration> age = local.map(LocalLock::age).or(entry::age);
        return new QueueEntryBody(
                entry.place().name(),
                entry.mode().name(),
                entry.permits(),
                ProcessBody.of(entry.owner()),
                entry.ofThisProcess(),
                entry.session().map(Object::toString).orElse(null),
                local.map(LocalLock::thread).orElse(null),
                local.map(LocalLock::threadId).or(entry::threadId).orElse(null),
                nullable(entry.ticket()),
                nullable(entry.attempt()),
                age.map(known -> Times.before(now, known)).orElse(null),
                age.map(Duration::toMillis).orElse(null));
    }

    static @Nullable Long nullable(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }
}
