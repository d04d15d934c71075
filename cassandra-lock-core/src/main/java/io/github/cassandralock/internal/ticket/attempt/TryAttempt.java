package io.github.cassandralock.internal.ticket.attempt;

import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.ticket.rows.Bakery;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An attempt that takes the lock if it is free, and does not wait for its turn (protocol, section 7). */
public final class TryAttempt extends SlotAttempt {

    /*
     * Sessions that try at the same time see each other's slots. Each reads until it is known which one has the lowest ticket.
     * The limit is a time and not a number of reads: with a number, all of them could leave, and none would get the lock.
     */

    private @Nullable Long undecidedSince;

    /** Before W1: which sessions are in the way, and what was asked. */
    private List<Slot> before = List.of();

    private final Set<Long> questions = new HashSet<>();
    private @Nullable OwnSession own;
    private long startedAt;

    public TryAttempt(
            SlotNotices notices,
            Claim claim,
            boolean sharersGone,
            Optional<OwnRow> replaced,
            Consumer<Report> reports) {
        super(notices, claim, sharersGone, replaced, Duration.ZERO, reports);
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

    /** A session that keeps its slot and is asked gives it up. Each look asks again, in case a notice was lost. */
    private void decideBeforeW1(List<Slot> conflicting) {
        List<Slot> inTheWay = notOver(conflicting);
        if (inTheWay.isEmpty()) {
            announce();
        } else if (mayBeKept(inTheWay) && isWithinWindow(startedAt)) {
            before = inTheWay;
            inTheWay.forEach(this::ask);
            steps().pauseThen(TicketSettings.ASK_AGAIN, this::readBeforeW1Again);
        } else {
            end(refused(inTheWay));
        }
    }

    private void readBeforeW1Again() {
        if (notOver(before).isEmpty()) {
            announce();
        } else {
            readBeforeW1();
        }
    }

    private List<Slot> notOver(List<Slot> conflicting) {
        return conflicting.stream().filter(slot -> !facts().isOver(slot)).toList();
    }

    private boolean mayBeKept(List<Slot> inTheWay) {
        return inTheWay.stream().map(Slot::session).allMatch(context().channel()::mayReach);
    }

    private void ask(Slot inTheWay) {
        long question = own().nextTimestamp();
        questions.add(question);
        notices().sendAsk(own().id(), inTheWay, question);
    }

    private OwnSession own() {
        return Objects.requireNonNull(own, "no session yet");
    }

    @Override
    public Optional<Outcome> factsReceived(boolean byNotice) {
        Optional<Outcome> outcome = super.factsReceived(byNotice);
        if (!before.isEmpty() && notOver(before).isEmpty()) {
            steps().wake();
        }
        return outcome;
    }

    @Override
    public Optional<Outcome> heldAnswered(long number) {
        return slot().isEmpty() && questions.contains(number) ? endsBy(refused(before)) : Optional.empty();
    }

    @Override
    void ticketDrawn(List<Slot> conflicting) {
        lookAtBlockers();
    }

    @Override
    void blockedBy(List<Slot> blockers) {
        long now = context().ticker().nanos();
        if (undecidedSince == null) {
            undecidedSince = now;
        }
        if (Bakery.isUndecided(blockers) && isWithinWindow(undecidedSince)) {
            steps().pauseThen(context().settings().poll().min(), this::lookAgain);
        } else {
            end(refused(blockers));
        }
    }

    private boolean isWithinWindow(long since) {
        return context().ticker().nanos() - since < TicketSettings.TRY_WINDOW.toNanos();
    }

    /** It never waits for a turn, so it learns nothing about turns. */
    @Override
    void turnCame(boolean byNotice) {}

    /** Sessions in the way that are dead are evicted in the background. */
    private Outcome refused(List<Slot> inTheWay) {
        BackgroundEviction.watch(partition(), inTheWay);
        return new Outcome.Refused();
    }
}
