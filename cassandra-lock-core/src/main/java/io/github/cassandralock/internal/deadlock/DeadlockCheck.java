package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.steps.Mailbox;
import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.WaitId;
import io.github.cassandralock.internal.store.WaitRow;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks one call that waits, once in each interval, until it has ended: publishes how it waits, and looks for a circle in which it is
 * the last (lock modes, section 7). A circle is real if three readings show it.
 */
final class DeadlockCheck {

    /*
     * Only tasks of the mailbox use the fields. One thing is under way at a time: the call is asked how it waits, that is written, then
     * others are read, then there is a pause. A failure of any of it ends the round, and the next one begins after the pause.
     */

    private static final Logger log = LoggerFactory.getLogger(DeadlockCheck.class);

    /** By so much every {@code seq} has to rise: the write that shows it was sent after the first reading was complete. */
    private static final int RISE = 2;

    private final DeadlockContext context;
    private final CheckedCall call;
    private final Mailbox mailbox = new Mailbox();
    private final Freshness freshness;
    private boolean ended;
    private @Nullable Published published;
    private @Nullable Circle suspected;
    private long roundBeganAt;

    /** What was written last. */
    private record Published(CheckedCall.Standing standing, WaitRow row, boolean acknowledged, long sentAt) {

        boolean isOf(OwnSession session) {
            return standing.session() == session;
        }
    }

    DeadlockCheck(DeadlockContext context, CheckedCall call) {
        this.context = context;
        this.call = call;
        this.freshness = new Freshness(context.ticker());
    }

    void start() {
        call.ended().whenComplete((end, failure) -> mailbox.execute(this::end));
        mailbox.execute(this::round);
    }

    private void round() {
        if (!ended) {
            roundBeganAt = context.ticker().nanos();
            Operation.begin(call::standing).whenCompleteAsync(this::stands, mailbox);
        }
    }

    private void stands(@Nullable Optional<CheckedCall.Standing> standing, @Nullable Throwable failure) {
        if (ended) {
            return;
        }
        if (failure != null || standing == null || standing.isEmpty()) {
            pause();
        } else {
            publish(standing.get());
        }
    }

    /** A new value of {@code seq} is sent only when the one before was acknowledged. */
    private void publish(CheckedCall.Standing standing) {
        Published before = published;
        long timestamp = standing.session().nextTimestamp();
        WaitRow row = before == null || !before.isOf(standing.session())
                ? first(standing, timestamp)
                : next(standing, timestamp, before.row(), before.acknowledged());
        if (before == null || !row.isUnchangedSince(before.row())) {
            suspected = null;
        }
        Published sent = new Published(standing, row, false, context.ticker().nanos());
        published = sent;
        Operation.begin(() ->
                        context.waits().write(row, timestamp, context.settings().rowLife()))
                .thenAccept(WriteOutcome::requireApplied)
                .whenCompleteAsync((done, failure) -> written(sent, failure), mailbox);
    }

    private WaitRow first(CheckedCall.Standing standing, long timestamp) {
        WaitId id = new WaitId(standing.session().id(), timestamp);
        return new WaitRow(id, 1, timestamp, context.settings().checkInterval(), standing.call());
    }

    private static WaitRow next(CheckedCall.Standing standing, long timestamp, WaitRow before, boolean acknowledged) {
        long seq = acknowledged ? before.seq() + 1 : before.seq();
        long changed = standing.call().equals(before.call()) ? before.changed() : timestamp;
        return new WaitRow(before.id(), seq, changed, before.interval(), standing.call());
    }

    private void written(Published sent, @Nullable Throwable failure) {
        if (ended) {
            return;
        }
        if (failure == null) {
            published = new Published(sent.standing(), sent.row(), true, sent.sentAt());
            read(sent);
        } else {
            failed(failure);
        }
    }

    private void read(Published sent) {
        Circle circle = suspected;
        CompletionStage<?> reading = circle == null ? search(sent.row().id()) : readAgain(circle);
        reading.whenCompleteAsync(
                (done, failure) -> {
                    if (failure != null && !ended) {
                        failed(failure);
                    } else {
                        pause();
                    }
                },
                mailbox);
    }

    /** The first reading; and the second one, which begins when the first is complete. */
    private CompletionStage<?> search(WaitId own) {
        return new CircleSearch(new Reading(context), freshness, mailbox, own)
                .find()
                .thenComposeAsync(
                        found -> found.isPresent()
                                ? secondReading(found.get())
                                : CompletableFuture.<Void>completedFuture(null),
                        mailbox);
    }

    private CompletionStage<Void> secondReading(Circle circle) {
        return rows(new Reading(context), circle)
                .thenAcceptAsync(rows -> suspected = circle.isUnchangedIn(rows) ? circle.in(rows) : null, mailbox);
    }

    private static CompletionStage<Map<WaitId, WaitRow>> rows(Reading reading, Circle circle) {
        return reading.waitsOf(
                circle.waits().stream().map(row -> row.id().session()).toList());
    }

    /** The third reading, as soon as every wait was written again for long enough. */
    private CompletionStage<?> readAgain(Circle second) {
        Reading reading = new Reading(context);
        return rows(reading, second).thenComposeAsync(rows -> compare(second, rows, reading), mailbox);
    }

    private CompletionStage<?> compare(Circle second, Map<WaitId, WaitRow> rows, Reading reading) {
        freshness.saw(rows.values());
        if (!second.isUnchangedIn(rows) || second.in(rows).waits().stream().anyMatch(freshness::isStale)) {
            suspected = null;
            return CompletableFuture.completedFuture(null);
        }
        Circle third = second.in(rows);
        return third.risenSince(second) < RISE
                ? CompletableFuture.completedFuture(null)
                : isCircle(third, 0, reading).thenComposeAsync(real -> real ? decide(third) : notReal(), mailbox);
    }

    private CompletionStage<Boolean> notReal() {
        suspected = null;
        return CompletableFuture.completedFuture(false);
    }

    /** Whether, from this place on, each waits for the next one. What two rows alone say is not read again. */
    private CompletionStage<Boolean> isCircle(Circle circle, int from, Reading reading) {
        List<WaitRow> waits = circle.waits();
        for (int place = from; place < waits.size(); place++) {
            WaitRow one = waits.get(place);
            WaitRow other = circle.after(place);
            if (!WaitsFor.directly(one, other)) {
                int last = place;
                return new CircleSearch(reading, freshness, mailbox, one.id())
                        .waitedFor(one)
                        .thenComposeAsync(
                                others ->
                                        others.stream().anyMatch(row -> row.id().equals(other.id()))
                                                ? isCircle(circle, last + 1, reading)
                                                : CompletableFuture.completedFuture(false),
                                mailbox);
            }
        }
        return CompletableFuture.completedFuture(true);
    }

    /** The call decides: it may have ended meanwhile, or may wait in another way. */
    private CompletionStage<Boolean> decide(Circle circle) {
        suspected = null;
        Published present = published;
        if (ended || present == null) {
            return CompletableFuture.completedFuture(false);
        }
        return call.fail(present.standing(), circle.exception()).thenApply(failed -> {
            if (failed) {
                context.counters().add(Counted.DEADLOCK_VICTIM);
                log.warn("A deadlock was found, and a call was ended with an exception. {}", circle.text());
            }
            return failed;
        });
    }

    private void failed(Throwable failure) {
        context.failing()
                .warn(
                        "Waiting calls cannot be checked for deadlocks, and go on waiting: a request to the table of waits, or of"
                                + " slots, failed. Cause: " + failure.getMessage());
        pause();
    }

    /** If the timers have ended, so does the application. */
    private void pause() {
        if (!ended) {
            Duration passed = Duration.ofNanos(context.ticker().nanos() - roundBeganAt);
            context.after(context.settings().checkInterval().minus(passed))
                    .whenCompleteAsync(
                            (done, noTimers) -> {
                                if (noTimers == null) {
                                    round();
                                }
                            },
                            mailbox);
        }
    }

    private void end() {
        if (!ended) {
            ended = true;
            Published last = published;
            if (last != null) {
                remove(last, last.standing().session().nextTimestamp());
            }
        }
    }

    /** Is sent again until it is acknowledged or the row has expired; nobody follows a row that does not rise. */
    private void remove(Published last, long timestamp) {
        Operation.begin(() -> context.waits().remove(last.row().id(), timestamp))
                .thenAccept(WriteOutcome::requireApplied)
                .whenCompleteAsync(
                        (done, failure) -> {
                            if (failure != null && mayBeThere(last)) {
                                context.after(context.settings().checkInterval())
                                        .thenRunAsync(() -> remove(last, timestamp), mailbox);
                            }
                        },
                        mailbox);
    }

    private boolean mayBeThere(Published last) {
        return context.ticker().nanos() - last.sentAt()
                < context.settings().rowLife().toNanos();
    }
}
