package io.github.cassandralock.internal.ticket.attempt;

import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.session.SessionNotOpenedException;
import io.github.cassandralock.internal.steps.Steps;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.ticket.rows.Bakery;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The writes and reads of one attempt. Each is repeated until it succeeds. The attempt has lost its slot if its row may have
 * expired, or a read does not show it. Runs in the lock's mailbox.
 */
final class AttemptSteps extends Steps {

    private final LockPartition partition;
    private final Claim claim;
    private final Consumer<Outcome> end;
    private @Nullable OwnRow row;

    /**
     * If the store fails, an attempt that waits ends after a lease without a success; another ends at once.
     *
     * @param end receives the outcome if a step ends the attempt
     */
    AttemptSteps(LockPartition partition, Claim claim, Consumer<Outcome> end) {
        super(
                partition.mailbox(),
                partition.context().ticker(),
                partition.context().timers(),
                partition.context().sessionSettings().retry(),
                claim.waits() ? partition.context().sessionSettings().lease() : Duration.ZERO,
                cause -> end.accept(new Outcome.Failed(cause)));
        this.partition = partition;
        this.claim = claim;
        this.end = end;
    }

    /** Makes this row the attempt's row. */
    void begin(OwnRow own) {
        row = own;
    }

    /** The attempt's row; empty before W1. */
    Optional<OwnRow> row() {
        return Optional.ofNullable(row);
    }

    OwnRow own() {
        OwnRow present = row;
        if (present == null) {
            throw new IllegalStateException("no slot for lock '" + partition.lockId() + "' yet");
        }
        return present;
    }

    /** Whether the slot belongs to this attempt's session. */
    boolean isOwn(Slot slot) {
        return isOwn(slot.session());
    }

    /** Whether the session is the one of this attempt. */
    boolean isOwn(UUID session) {
        return session.equals(own().slot().session());
    }

    /** Opens a session first, if there is none. If the session is lost meanwhile, the step fails and is repeated. */
    void withSession(Consumer<OwnSession> next) {
        step(() -> partition.context().sessions().current().thenApply(this::requireValid), next);
    }

    private OwnSession requireValid(OwnSession session) {
        if (!session.isValid()) {
            throw new SessionNotOpenedException(
                    "Cassandra confirmed the new session " + session.id() + " after its lease", null);
        }
        return session;
    }

    void write(OwnRow.Write write, Runnable next) {
        step(() -> partition.write(write), drawnAt -> {
            own().acknowledged(drawnAt);
            ifStillOwn(next);
        });
    }

    /** Reads the lock. The read has to show the attempt's row, and the rows of its claim. */
    void readWithOwnRow(Consumer<LockSlots> next) {
        read(read -> {
            if (Bakery.shows(read, own().slot()) && claim.isShownBy(read)) {
                ifStillOwn(() -> next.accept(read));
            } else {
                own().session().renewNow();
                end.accept(new Outcome.SlotLost("its slot was evicted"));
            }
        });
    }

    void read(Consumer<LockSlots> next) {
        step(partition::read, read -> {
            partition.noteRead(read, row().map(present -> present.slot().id()));
            next.accept(read);
        });
    }

    private void ifStillOwn(Runnable next) {
        if (own().isExpired()) {
            end.accept(new Outcome.SlotLost("its slot may have expired before a write to it was acknowledged"));
        } else {
            next.run();
        }
    }
}
