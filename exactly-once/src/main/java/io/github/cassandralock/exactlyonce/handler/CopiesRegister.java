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
 * The register with an entry of each copy that may park. The entry shows that the copy lives, and which message fails there
 * (docs/exactly-once.md, section 3, parking). A copy measures by its own clock how long the entry of another copy has not changed.
 * Used by one thread.
 */
final class CopiesRegister {

    /** An entry is ignored once it has not changed for this many times the shortest duration of failures. */
    private static final int SILENT_AFTER = 6;

    /** How often a copy changes its entry in that time, even if nothing else is new. */
    private static final int BEATS_IN_THAT_TIME = 4;

    private final HandlerDefinition<?> definition;
    private final Ticker ticker;
    private final String own;
    private final int attempts;
    private final Duration silence;
    private Entry entry;

    /** When this copy last tried to write its entry. */
    private Optional<Long> triedAt = Optional.empty();

    /** The first entry of each other copy since this copy first found the present message at fault. */
    private Optional<CopyEntries> othersAtProof = Optional.empty();

    /** For each copy, its last beat and when this copy first saw it. */
    private final Map<String, Sign> signs = new HashMap<>();

    private record Sign(long beats, long seenAt) {}

    CopiesRegister(HandlerDefinition<?> definition, HandlerDefinition.Parking parking, Ticker ticker) {
        this.definition = definition;
        this.ticker = ticker;
        WriteId id = definition.copyIds.next();
        own = id.process() + "-" + id.counter();
        attempts = parking.attempts();
        silence = parking.minDuration().multipliedBy(SILENT_AFTER);
        entry = new Entry(0, new TreeSet<>(definition.inputs.keySet()), Optional.empty(), 0);
    }

    /** Writes this copy's entry, unless it is new enough. */
    void beat() throws InterruptedException {
        long now = ticker.readNanos();
        if (triedAt.isEmpty() || now - triedAt.get() >= silence.toNanos() / BEATS_IN_THAT_TIME) {
            write(entry.failing(), entry.failures());
        }
    }

    /**
     * Writes that a message fails here, often and for long enough.
     *
     * @param anotherSucceeds whether another message succeeds here. If not, the copy may be broken, or a dependency down until now
     * @param proven whether this copy finds the message at fault
     * @return whether it is proven, and each other living copy has failed with the message often enough since this copy's proof
     */
    boolean agreeOn(MessagePlace message, boolean anotherSucceeds, boolean proven) throws InterruptedException {
        if (!entry.failsWith(message)) {
            othersAtProof = Optional.empty();
        }
        Optional<CopyEntries> others = write(Optional.of(message), entry.failures() + (anotherSucceeds ? attempts : 1))
                .filter(all -> proven)
                .map(all -> all.without(own::equals));
        othersAtProof = others.map(now -> othersAtProof.orElse(now).and(now));
        return others.isPresent() && others.get().agreeOn(message, othersAtProof.orElseThrow(), attempts + 1);
    }

    /** Removes what {@link #agreeOn} has written, if anything: the failures have other causes. */
    void withdraw() throws InterruptedException {
        othersAtProof = Optional.empty();
        if (entry.failing().isPresent()) {
            write(Optional.empty(), entry.failures());
        }
    }

    /** The living copies, including this copy. Empty if a later version of the program wrote the register. */
    private Optional<CopyEntries> write(Optional<MessagePlace> failing, long failures) throws InterruptedException {
        entry = new Entry(entry.beats() + 1, entry.queues(), failing, failures);
        triedAt = Optional.of(ticker.readNanos());
        StoredValue present = definition.copies.read();
        while (true) {
            if (present.getVersion() > 0 && !CopyEntries.isKnown(present.getValue())) {
                return Optional.empty();
            }
            CopyEntries next = living(present).with(own, entry);
            CompareAndSetOutcome outcome = definition.copies.compareAndSet(present.getVersion(), next.toBytes());
            if (outcome instanceof Applied) {
                return Optional.of(next);
            }
            present = outcome.present();
        }
    }

    private CopyEntries living(StoredValue stored) {
        CopyEntries entries =
                stored.getVersion() == 0 ? CopyEntries.none() : CopyEntries.ofBytes(definition.name, stored.getValue());
        long now = ticker.readNanos();
        entries.byCopy().forEach((copy, present) -> {
            Sign sign = signs.get(copy);
            if (sign == null || sign.beats() != present.beats()) {
                signs.put(copy, new Sign(present.beats(), now));
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
