package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.handler.CopyEntries.Entry;
import io.github.cassandralock.exactlyonce.handler.Suspicion.MessagePlace;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome.Applied;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.exactlyonce.time.Ticker;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The register in which copies say that they live, and with which message they fail (docs/exactly-once.md, section 3, parking). A
 * copy judges by its own clock for how long another one has said nothing. Used by one thread.
 */
final class CopiesRegister {

    /** A copy that has said nothing for so many times the shortest duration of failures has no voice. */
    private static final int SILENT_AFTER = 6;

    /** So often a copy says that it lives before it would count as silent. */
    private static final int BEATS_IN_THAT_TIME = 4;

    private final HandlerDefinition<?> definition;
    private final Ticker ticker;
    private final String own;
    private final Duration silence;
    private Entry said;
    private Optional<Long> saidAt = Optional.empty();

    /** Other copy → what it said last, and when this copy first saw that. */
    private final Map<String, Sign> signs = new HashMap<>();

    private record Sign(long beats, long seenAt) {}

    CopiesRegister(HandlerDefinition<?> definition, HandlerDefinition.Parking parking, Ticker ticker) {
        this.definition = definition;
        this.ticker = ticker;
        WriteId id = definition.copyIds.next();
        own = id.process() + "-" + id.counter();
        silence = parking.minDuration().multipliedBy(SILENT_AFTER);
        said = new Entry(0, new TreeSet<>(definition.inputs.keySet()), Optional.empty(), false);
    }

    /** Says that this copy lives, if it has said nothing for a while. */
    void beat() throws InterruptedException {
        long now = ticker.nanos();
        if (saidAt.isEmpty() || now - saidAt.get() >= silence.toNanos() / BEATS_IN_THAT_TIME) {
            say(said.failing(), said.proven());
        }
    }

    /**
     * Says that a message fails here, often and for long enough.
     *
     * @param proven whether the function succeeds with other messages
     * @return whether all copies that live say so, and one of them has proven it
     */
    boolean agreeOn(MessagePlace message, boolean proven) throws InterruptedException {
        return say(Optional.of(message), proven)
                .map(entries -> entries.agreeOn(message))
                .orElse(false);
    }

    /** Takes back what {@link #agreeOn} has said, if anything: what failed then has other causes. */
    void withdraw() throws InterruptedException {
        if (said.failing().isPresent()) {
            say(Optional.empty(), false);
        }
    }

    /** The copies that live, this one included; empty if a later version of the program wrote the register. */
    private Optional<CopyEntries> say(Optional<MessagePlace> failing, boolean proven) throws InterruptedException {
        said = new Entry(said.beats() + 1, said.queues(), failing, proven);
        StoredValue present = definition.copies.read();
        while (true) {
            if (present.version() > 0 && !CopyEntries.isKnown(present.value())) {
                return Optional.empty();
            }
            CopyEntries next = living(present).with(own, said);
            CompareAndSetOutcome outcome = definition.copies.compareAndSet(present.version(), next.toBytes());
            if (outcome instanceof Applied) {
                saidAt = Optional.of(ticker.nanos());
                return Optional.of(next);
            }
            present = outcome.present();
        }
    }

    private CopyEntries living(StoredValue stored) {
        CopyEntries entries =
                stored.version() == 0 ? CopyEntries.none() : CopyEntries.ofBytes(definition.name, stored.value());
        long now = ticker.nanos();
        entries.byCopy().forEach((copy, entry) -> {
            Sign sign = signs.get(copy);
            if (sign == null || sign.beats() != entry.beats()) {
                signs.put(copy, new Sign(entry.beats(), now));
            }
        });
        signs.keySet().retainAll(entries.byCopy().keySet());
        return entries.without(copy -> isSilent(copy, now));
    }

    private boolean isSilent(String copy, long now) {
        Sign sign = signs.get(copy);
        return sign != null && now - sign.seenAt() >= silence.toNanos();
    }
}
