package io.github.cassandralock.internal.ticket.attempt;

import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.ticket.rows.Bakery;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An attempt that takes the lock if it is free, and does not wait for its turn (protocol, section 7). */
public final class TryAttempt extends SlotAttempt {

    /*
     * Sessions that try at the same time see each other's slots. Each session reads until a read shows which slot has the lowest
     * ticket. The limit is a time, not a number of reads. With a number of reads, all sessions could give up, and none would get
     * the lock.
     */

    private @Nullable Long undecidedSince;

    /** The slots that the last read before W1 showed in the way. */
    private List<Slot> before = List.of();

    /** The slots whose sessions received a question, by the numbers of the questions. */
    private final Map<Long, Slot> questions = new HashMap<>();

    /** The slots in {@link #questions} whose sessions answered HELD. */
    private final List<Slot> held = new ArrayList<>();

    /** How long it pauses before the next look; with several permits, each pause is twice as long as the one before. */
    private Duration pause = Duration.ZERO;

    private @Nullable OwnSession own;
    private long startedAt;

    public TryAttempt(
            SlotNotices notices,
            Claim claim,
            boolean sharersGone,
            Optional<OwnRow> replaced,
            Consumer<Report> reports) {
        super(notices, claim, sharersGone, replaced, reports);
    }

    @Override
    public void start() {
        steps().step(() -> context().sessions().current(), session -> {
            startedAt = context().ticker().nanos();
            own = session;
            readBeforeW1();
        });
    }

    private void readBeforeW1() {
        steps().read(read -> decideBeforeW1(claim().conflicting(read, notices().id(own()), partition())));
    }

    /**
     * A session that only keeps its slot gives the slot up when it receives {@code ASK}. Each read sends {@code ASK} again, because
     * a notice may be lost.
     */
    private void decideBeforeW1(List<Slot> conflicting) {
        List<Slot> blocking = notOver(conflicting);
        if (claim().hasRoomBeside(blocking)) {
            announce();
        } else if (claim().hasRoomBeside(used(blocking)) && isWithinWindow(startedAt)) {
            before = blocking;
            blocking.stream().filter(slot -> !isUsed(slot)).forEach(this::sendAsk);
            steps().pauseThen(TicketSettings.ASK_AGAIN, this::readBeforeW1Again);
        } else {
            end(refused(blocking));
        }
    }

    private void readBeforeW1Again() {
        if (claim().hasRoomBeside(notOver(before))) {
            announce();
        } else {
            readBeforeW1();
        }
    }

    private List<Slot> notOver(List<Slot> conflicting) {
        return conflicting.stream().filter(slot -> !facts().isOver(slot)).toList();
    }

    private List<Slot> used(List<Slot> blocking) {
        return blocking.stream().filter(this::isUsed).toList();
    }

    /**
     * Whether the slot stays taken after {@code ASK}. Its session belongs to this process, cannot be reached, or has answered {@code
     * HELD}.
     */
    private boolean isUsed(Slot slot) {
        return slot.session().equals(own().id())
                || !context().channel().mayReach(slot.session())
                || held.stream().anyMatch(answered -> Bakery.isSameAttempt(answered, slot));
    }

    private void sendAsk(Slot blocking) {
        long question = own().nextTimestamp();
        questions.put(question, blocking);
        notices().sendAsk(own().id(), blocking, question);
    }

    private OwnSession own() {
        return Objects.requireNonNull(own, "no session yet");
    }

    @Override
    public Optional<Outcome> factsReceived(TurnSource source) {
        Optional<Outcome> outcome = super.factsReceived(source);
        if (!before.isEmpty() && claim().hasRoomBeside(notOver(before))) {
            steps().wake();
        }
        return outcome;
    }

    /** Those that only keep their slots give them up: it is refused if the others leave no room. */
    @Override
    public Optional<Outcome> heldAnswered(long number) {
        Slot questioned = questions.get(number);
        if (questioned == null || row().isPresent()) {
            return Optional.empty();
        }
        held.add(questioned);
        return claim().hasRoomBeside(used(before)) ? Optional.empty() : endUnreported(refused(before));
    }

    @Override
    void ticketAcknowledged(List<Slot> conflicting) {
        lookAtBlockers();
    }

    @Override
    void blockedBy(List<Slot> blockers) {
        long now = context().ticker().nanos();
        if (undecidedSince == null) {
            undecidedSince = now;
        }
        if (Bakery.isUndecided(blockers) && isWithinWindow(undecidedSince)) {
            steps().pauseThen(nextPause(), this::lookAtBlockersAgain);
        } else {
            end(refused(blockers));
        }
    }

    /**
     * A slot that has acquired the lock without a ticket stays undecided. With several permits, such a slot may be there for
     * long.
     */
    private Duration nextPause() {
        Duration shortest = context().settings().poll().min();
        pause = pause.isZero() || claim().permits() == 1 ? shortest : pause.multipliedBy(2);
        return pause;
    }

    private boolean isWithinWindow(long since) {
        return context().ticker().nanos() - since < TicketSettings.TRY_WINDOW.toNanos();
    }

    /** An attempt that tries never waits for a turn, so it measures none. */
    @Override
    void turnCame(TurnSource source) {}

    /** Blocking sessions that are dead are evicted in the background. */
    private Outcome refused(List<Slot> blocking) {
        BackgroundEviction.watch(partition(), blocking);
        return new Outcome.Refused();
    }
}
