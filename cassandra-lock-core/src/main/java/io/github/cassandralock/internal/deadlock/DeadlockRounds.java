package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.deadlock.CheckedCall.Standing;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.steps.Mailbox;
import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.PublishedWaits;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks all calls of this process that have waited for long, in one round per interval (lock modes, section 7). A round queries
 * how the calls wait, publishes that with one write, reads how others wait, and decides. Thread-safe.
 */
final class DeadlockRounds {

    /*
     * Only tasks of the mailbox use the fields below it. One round is under way at a time, and one step of it. A failure of a step
     * ends the round. Rounds continue while there are calls, or a row that must be removed.
     */

    private static final Logger log = LoggerFactory.getLogger(DeadlockRounds.class);

    /**
     * The share of the bound for locks for which calls of this process wait. The rest is for locks and sessions that these reads
     * lead to.
     */
    private static final int SHARE_OF_OWN_LOCKS = 2;

    private final DeadlockContext context;
    private final ConcurrentMap<Long, CheckedCall> calls = new ConcurrentHashMap<>();
    private final AtomicBoolean running = new AtomicBoolean();
    private final Mailbox mailbox = new Mailbox();
    private final OwnWaits own = new OwnWaits();
    private final Suspects suspects = new Suspects();
    private final Freshness freshness;
    private volatile boolean closed;
    private Set<String> wanted = Set.of();
    private @Nullable Published published;
    private long seq;
    private boolean acknowledged;
    private long roundBeganAt;
    private int firstLock;

    /** The row in the table. */
    private record Published(OwnSession session, long sentAt) {}

    DeadlockRounds(DeadlockContext context) {
        this.context = context;
        this.freshness = new Freshness(context.sessions().ticker());
        this.roundBeganAt = context.sessions().ticker().nanos()
                - context.settings().checkInterval().toNanos();
    }

    /** Checks the call in every round that begins from now on, until the call has ended. */
    void add(long number, CheckedCall call) {
        calls.put(number, call);
        call.ended().whenComplete((end, failure) -> calls.remove(number));
    }

    /** Begins the rounds, unless they run. Called after calls were added. */
    void begin() {
        if (running.compareAndSet(false, true)) {
            mailbox.execute(this::pauseOrEnd);
        }
    }

    /**
     * Begins no further rounds. The row may stay until it expires, because no process follows it any more. Does nothing if this
     * object is closed already.
     */
    void close() {
        closed = true;
    }

    /** No round follows after the timers have ended, which end with the application. */
    private void pauseOrEnd() {
        if (calls.isEmpty() && !hasRow()) {
            running.set(false);
            if (!calls.isEmpty()) {
                begin();
            }
            return;
        }
        Duration passed = Duration.ofNanos(context.sessions().ticker().nanos() - roundBeganAt);
        Duration left = context.settings().checkInterval().minus(passed);
        if (left.isNegative() || left.isZero()) {
            round();
        } else {
            context.sessions()
                    .timers()
                    .afterOrFailed(left)
                    .whenCompleteAsync(
                            (done, noTimers) -> {
                                if (noTimers == null) {
                                    round();
                                }
                            },
                            mailbox);
        }
    }

    private boolean hasRow() {
        Published row = published;
        return row != null
                && context.sessions().ticker().nanos() - row.sentAt()
                        < context.settings().rowLife().toNanos();
    }

    private void round() {
        if (closed) {
            return;
        }
        roundBeganAt = context.sessions().ticker().nanos();
        standings()
                .thenComposeAsync(this::publishAndRead, mailbox)
                .whenCompleteAsync(
                        (done, failure) -> {
                            if (failure != null && !closed) {
                                failed(failure);
                            }
                            pauseOrEnd();
                        },
                        mailbox);
    }

    private void failed(Throwable failure) {
        context.failing()
                .warn("Waiting calls cannot be checked for deadlocks, and go on waiting. A request to the table of"
                        + " waits, of slots or of sessions failed. Cause: "
                        + Operation.causeOf(failure).getMessage());
    }

    // Reading the queues

    /** Queries each queue once. Completes with the states of the calls whose owners hold locks, by the numbers of the calls. */
    private CompletionStage<SortedMap<Long, Standing>> standings() {
        Map<Long, CheckedCall> present = new TreeMap<>(calls);
        Map<CheckedQueue, CompletableFuture<Map<Object, Standing>>> answers = new HashMap<>();
        present.values().forEach(call -> answers.computeIfAbsent(call.queue(), DeadlockRounds::ask));
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> {
                    SortedMap<Long, Standing> standings = new TreeMap<>();
                    present.forEach((number, call) -> Optional.ofNullable(answers.get(call.queue()))
                            .map(answer -> answer.join().get(call.request()))
                            .filter(standing -> !standing.call().held().isEmpty())
                            .ifPresent(standing -> standings.put(number, standing)));
                    return standings;
                });
    }

    private static CompletableFuture<Map<Object, Standing>> ask(CheckedQueue queue) {
        return Operation.begin(queue::standings).toCompletableFuture();
    }

    // Publishing

    private CompletionStage<Void> publishAndRead(SortedMap<Long, Standing> standings) {
        Optional<OwnSession> session = standings.values().stream()
                .map(Standing::session)
                .filter(OwnSession::isValid)
                .findFirst();
        if (session.isEmpty()) {
            return remove();
        }
        List<PublishedWait> waits = own.asked(session.get(), standings);
        return publish(session.get(), waits).thenComposeAsync(done -> read(session.get(), waits), mailbox);
    }

    /** A new value of {@code seq} is sent only when the value before was acknowledged. */
    private CompletionStage<Void> publish(OwnSession session, List<PublishedWait> waits) {
        Published before = published;
        if (acknowledged || before == null || before.session() != session) {
            seq++;
        }
        acknowledged = false;
        published = new Published(session, context.sessions().ticker().nanos());
        Publication publication =
                Publication.of(waits, wanted, context.settings().bounds());
        if (publication.cut() > 0) {
            warnOfCut(publication.cut(), waits.size());
        }
        PublishedWaits row =
                new PublishedWaits(session.id(), seq, context.settings().checkInterval(), publication.waits());
        return Operation.begin(() -> context.waits()
                        .write(row, session.nextTimestamp(), context.settings().rowLife()))
                .thenAccept(WriteOutcome::requireApplied)
                .thenRunAsync(() -> acknowledged = true, mailbox);
    }

    private void warnOfCut(int cut, int waits) {
        context.crowded()
                .warn(
                        "More calls wait for locks while their owners hold locks than the search for deadlocks can publish. Of "
                                + waits + " calls of this process, " + cut
                                + " are left out, or published with only some of their owners' locks. Deadlocks of these calls with"
                                + " other processes may not be found; deadlocks within this process are found."
                                + " Hold fewer locks while waiting, or wait with a time-out");
    }

    /** Removes the row to save its space: no process follows a row whose number does not rise. */
    private CompletionStage<Void> remove() {
        Published row = published;
        if (row == null) {
            return CompletableFuture.completedFuture(null);
        }
        return Operation.begin(() ->
                        context.waits().remove(row.session().id(), row.session().nextTimestamp()))
                .thenAccept(WriteOutcome::requireApplied)
                .thenRunAsync(() -> published = null, mailbox);
    }

    // Reading

    private CompletionStage<Void> read(OwnSession session, List<PublishedWait> waits) {
        Picture picture = new Picture(
                new PublishedWaits(session.id(), seq, context.settings().checkInterval(), waits));
        Reading reading = new Reading(context, freshness, mailbox, picture);
        List<PublishedWait> starts = starts(waits);
        Wanted first = suspects.wanted(picture);
        starts.forEach(wait -> first.locks().add(wait.call().lockId()));
        return reading.read(first)
                .thenComposeAsync(done -> reading.read(suspects.wanted(picture)), mailbox)
                .thenComposeAsync(done -> endReal(picture, session), mailbox)
                .thenComposeAsync(done -> search(starts, reading), mailbox)
                .thenAcceptAsync(found -> noted(found, reading), mailbox);
    }

    private void noted(List<DeadlockCycle> found, Reading reading) {
        found.forEach(suspects::found);
        wanted = reading.picture().wanted();
        freshness.retain(reading.picture().sessions());
        if (reading.isCut()) {
            warnOfReads();
        }
    }

    /** If calls wait for very many locks, each round reads some of the locks, in turn. */
    private List<PublishedWait> starts(List<PublishedWait> waits) {
        Set<String> locks = new LinkedHashSet<>();
        waits.forEach(wait -> locks.add(wait.call().lockId()));
        int most = Math.max(1, context.settings().bounds().partitions() / SHARE_OF_OWN_LOCKS);
        if (locks.size() <= most) {
            return waits;
        }
        warnOfReads();
        List<String> inOrder = locks.stream().sorted().toList();
        Set<String> next = new LinkedHashSet<>();
        for (int place = 0; place < most; place++) {
            next.add(inOrder.get((firstLock + place) % inOrder.size()));
        }
        firstLock = (firstLock + most) % inOrder.size();
        return waits.stream()
                .filter(wait -> next.contains(wait.call().lockId()))
                .toList();
    }

    private void warnOfReads() {
        context.crowded()
                .warn("The search for deadlocks may read at most "
                        + context.settings().bounds().partitions()
                        + " locks and processes in an interval, and would need more. Deadlocks are found later, or not"
                        + " at all. Hold fewer locks while waiting, or wait with a time-out");
    }

    /** Completes with the cycles of the reading, once it shows all that matters. */
    private CompletionStage<List<DeadlockCycle>> search(List<PublishedWait> starts, Reading reading) {
        CycleSearch search = new CycleSearch(reading.picture());
        List<DeadlockCycle> found = new ArrayList<>();
        starts.stream()
                .filter(wait -> !suspects.isSuspect(wait))
                .forEach(wait -> search.from(wait).ifPresent(found::add));
        return reading.read(search.missing())
                .thenComposeAsync(
                        more -> more ? search(starts, reading) : CompletableFuture.completedFuture(found), mailbox);
    }

    // Deciding

    private CompletionStage<Void> endReal(Picture picture, OwnSession session) {
        return Operation.all(suspects.shownBy(picture, session.id()).stream().map(this::end));
    }

    /** The call may refuse, because it has ended meanwhile or waits in another way. */
    private CompletionStage<?> end(DeadlockCycle cycle) {
        long number = cycle.first().id().number();
        CheckedCall call = calls.get(number);
        Optional<Standing> standing = own.standing(number);
        if (call == null || standing.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return call.fail(standing.get(), cycle.exception()).thenAccept(failed -> {
            if (failed) {
                context.sessions().counters().add(Counted.DEADLOCK_VICTIM);
                log.warn("A deadlock was found, and a call was ended with an exception. {}", cycle.text());
            }
        });
    }
}
