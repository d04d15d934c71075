package io.github.cassandralock.internal.exhaustive;

import io.github.cassandralock.internal.notice.NoticeChannel;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.simulation.Violation;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.store.StoredValue;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A few processes that run the algorithm {@code ticket} on tables that keep their promises. Nothing is left to chance: the search
 * takes one of the steps that can follow. A world that takes the same steps again is in the same state.
 */
final class SmallWorld {

    private static final Comparator<Request> IN_ORDER = Comparator.comparingInt(
                    (Request request) -> request.process().number())
            .thenComparingInt(Request::number);

    private final Scope scope;
    private final SmallTime time;
    private final SmallSessions sessions = new SmallSessions();
    private final SmallNotices notices = new SmallNotices();
    private final List<SlotRead> reads = new ArrayList<>();
    private final LockRows rows = new LockRows(reads);
    private final List<SmallCaller> callers = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private final Set<Request> abandoned = new HashSet<>();
    private final List<String> violations = new ArrayList<>();
    private final Set<SmallProcess> cutOff = new HashSet<>();
    private final Set<SmallProcess> paused = new HashSet<>();
    private long pausedAt;
    private Bounds left;

    /** All processes have opened their sessions, and have requested the lock for the first time. */
    SmallWorld(Scope scope) {
        this.scope = scope;
        time = new SmallTime(!scope.bounds().hasTime());
        left = scope.bounds();
        for (int number = 0; number < scope.bounds().uses().size(); number++) {
            callers.add(caller(number));
        }
        callers.forEach(this::begin);
    }

    /** Opens the session of a process, and requests the lock. A process that has begun gets it, or waits for it. */
    private void begin(SmallCaller caller) {
        caller.start();
        answer(firstRequestOf(caller.process()).orElseThrow(), 0);
        if (caller.process().number() < scope.bounds().begun()) {
            Optional<Request> next = firstRequestOf(caller.process());
            while (next.isPresent()) {
                answer(next.get(), 0);
                next = firstRequestOf(caller.process());
            }
            look();
        }
    }

    private Optional<Request> firstRequestOf(SmallProcess process) {
        return requests.stream().filter(request -> request.process() == process).findFirst();
    }

    private SmallCaller caller(int number) {
        SmallProcess process = new SmallProcess(number, time, scope.clockRate(number));
        TicketAlgorithm algorithm = new TicketAlgorithm(
                slotsSeenBy(process),
                new SessionContext(
                        sessions.seenBy(process, this::send),
                        scope.sessionSettings(number),
                        process,
                        process,
                        process::nextId,
                        process.name()),
                scope.bounds().exchangeNotices() ? notices.channelOf(process) : NoticeChannel.OFF,
                scope.ticketSettings(number),
                process,
                Optional.empty());
        return new SmallCaller(process, algorithm, scope.bounds().uses().get(number));
    }

    private void send(SessionRequest<?> request) {
        if (!isLost(request)) {
            requests.add(request);
        }
    }

    private boolean isLost(Request request) {
        return request instanceof SessionRequest<?> && cutOff.contains(request.process());
    }

    private SlotStore slotsSeenBy(SmallProcess process) {
        return new SlotStore() {
            @Override
            public CompletionStage<WriteOutcome> write(String lockId, Slot slot, long timestamp, Duration ttl) {
                Duration margin = scope.ticketSettings(process.number()).expiryMargin();
                long expires = time.now() + ttl.minus(margin).toNanos();
                return send(SlotWrite.of(process, rows, slot, timestamp, expires));
            }

            @Override
            public CompletionStage<WriteOutcome> evict(String lockId, UUID session) {
                return send(SlotWrite.eviction(process, rows, session));
            }

            private CompletableFuture<WriteOutcome> send(SlotWrite request) {
                requests.add(request);
                return request.outcome();
            }

            @Override
            public CompletionStage<LockSlots> read(String lockId) {
                SlotRead request = new SlotRead(process, rows.possible());
                requests.add(request);
                reads.add(request);
                return request.result();
            }

            @Override
            public CompletionStage<WriteOutcome> reserve(String lockId, long lastToken) {
                throw new UnsupportedOperationException("nobody asks for a token here");
            }

            @Override
            public CompletionStage<WriteOutcome> openValue(String lockId, long token) {
                throw new UnsupportedOperationException("nobody uses a value here");
            }

            @Override
            public CompletionStage<WriteOutcome> closeValue(String lockId, long token, byte[] bytes) {
                throw new UnsupportedOperationException("nobody uses a value here");
            }

            @Override
            public CompletionStage<StoredValue> readValue(String lockId) {
                throw new UnsupportedOperationException("nobody uses a value here");
            }
        };
    }

    /** The steps that can follow. */
    List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        callers.forEach(caller -> addStepsOf(caller, steps));
        requests.forEach(request -> addStepsOf(request, steps));
        Stream.of(Step.Kind.DELIVER, Step.Kind.DELIVER_COPY)
                .filter(left::leave)
                .forEach(kind -> steps.addAll(notices.arrivals(kind, this::runs)));
        if (left.leave(Step.Kind.EXPIRE)) {
            List<LockRows.Expiry> expiries = rows.expiries(time.now());
            IntStream.range(0, expiries.size())
                    .forEach(choice -> steps.add(
                            Step.of(Step.Kind.EXPIRE, expiries.get(choice).row(), choice)));
        }
        return steps;
    }

    private void addStepsOf(Request request, List<Step> steps) {
        if (!canBeAnswered(request)) {
            if (request.isUndecided()) {
                steps.add(Step.of(Step.Kind.DECIDE, request, 0));
            }
        } else {
            IntStream.range(0, request.answers())
                    .forEach(choice -> steps.add(Step.of(Step.Kind.ANSWER, request, choice)));
            if (left.leave(Step.Kind.TIME_OUT)) {
                steps.add(Step.of(Step.Kind.TIME_OUT, request, 0));
            }
        }
    }

    private boolean runs(SmallProcess process) {
        return !process.isDead() && !paused.contains(process);
    }

    private boolean canBeAnswered(Request request) {
        return isAwaited(request) && !paused.contains(request.process());
    }

    private boolean isAwaited(Request request) {
        return !request.process().isDead() && !abandoned.contains(request);
    }

    private void addStepsOf(SmallCaller caller, List<Step> steps) {
        SmallProcess process = caller.process();
        if (process.isDead()) {
            return;
        }
        if (paused.contains(process)) {
            if (time.now() > pausedAt) {
                steps.add(Step.of(Step.Kind.RESUME, process));
            }
            return;
        }
        if (caller.canStart()) {
            steps.add(Step.of(Step.Kind.START, process));
        }
        if (caller.hasGrant()) {
            steps.add(Step.of(Step.Kind.RELEASE, process));
        }
        if (caller.canConvert()) {
            steps.add(Step.of(Step.Kind.CONVERT, process));
        }
        if (caller.isConverting() && left.leave(Step.Kind.GIVE_UP)) {
            steps.add(Step.of(Step.Kind.GIVE_UP, process));
        }
        if (process.number() == left.victim()) {
            addFaults(process, steps);
        }
        if (mayTimersEnd() && process.nextTimer().filter(this::isNext).isPresent()) {
            steps.add(Step.of(Step.Kind.TIMER, process));
        }
    }

    /** A pause shows only if an answer comes meanwhile, or a timer ends. */
    private boolean isPauseOfUse(SmallProcess process) {
        return requests.stream().anyMatch(request -> request.process() == process)
                || process.nextTimer().filter(this::isNext).isPresent();
    }

    private void addFaults(SmallProcess process, List<Step> steps) {
        if (left.leave(Step.Kind.CRASH)) {
            steps.add(Step.of(Step.Kind.CRASH, process));
        }
        if (left.leave(Step.Kind.CUT_OFF)) {
            steps.add(Step.of(Step.Kind.CUT_OFF, process));
        }
        if (left.leave(Step.Kind.PAUSE) && isPauseOfUse(process)) {
            steps.add(Step.of(Step.Kind.PAUSE, process));
        }
    }

    /** While clocks run, no time passes as long as an answer to a process that runs is on its way. */
    private boolean mayTimersEnd() {
        return left.leave(Step.Kind.TIMER)
                && !(left.hasTime() && requests.stream().anyMatch(this::canBeAnswered));
    }

    /** Timers of different processes end in their order. While clocks stand still, only those of one process do. */
    private boolean isNext(long instant) {
        return instant <= scope.horizon()
                && (!left.hasTime()
                        || callers.stream()
                                .map(SmallCaller::process)
                                .filter(process -> !paused.contains(process))
                                .flatMap(process -> process.nextTimer().stream())
                                .noneMatch(other -> other < instant));
    }

    /** Takes one of {@link #steps()}. */
    void take(Step step) {
        SmallCaller caller = callers.get(step.process());
        left = left.after(step.kind());
        switch (step.kind()) {
            case START -> caller.start();
            case CONVERT -> caller.convert();
            case GIVE_UP -> caller.giveUpConversion();
            case RELEASE -> caller.release();
            case CRASH -> caller.process().die();
            case CUT_OFF -> {
                cutOff.add(caller.process());
                requests.stream().filter(this::isLost).forEach(abandoned::add);
            }
            case PAUSE -> {
                paused.add(caller.process());
                pausedAt = time.now();
            }
            case RESUME -> paused.remove(caller.process());
            case TIMER -> caller.process().endTimer();
            case DECIDE -> request(step).decide();
            case ANSWER -> answer(request(step), step.choice());
            case TIME_OUT -> timeOut(request(step));
            case EXPIRE -> rows.expire(expiry(step));
            case DELIVER -> notices.deliver(step);
            case DELIVER_COPY -> notices.deliverCopy(step);
        }
        forgetWhatIsOver();
        look();
    }

    /** A transaction that nobody waits for is kept until it is decided. */
    private void forgetWhatIsOver() {
        requests.removeIf(request -> !isAwaited(request) && !request.isUndecided());
        reads.removeIf(read -> !isAwaited(read));
        abandoned.retainAll(requests);
    }

    private Request request(Step step) {
        return requests.stream()
                .filter(request -> request.process().number() == step.process() && request.number() == step.request())
                .findFirst()
                .orElseThrow();
    }

    private LockRows.Expiry expiry(Step step) {
        return rows.expiries(time.now()).get(step.choice());
    }

    private void answer(Request request, int choice) {
        requests.remove(request);
        if (request instanceof SlotRead) {
            reads.remove(request);
        }
        SmallProcess process = request.process();
        process.see(request.number(), request.answer(choice));
    }

    private void timeOut(Request request) {
        abandoned.add(request);
        request.process().see(request.number(), StateKey.EMPTY.with(2));
        request.timeOut();
    }

    private void look() {
        for (SmallCaller caller : callers) {
            if (caller.isHeldAgain()) {
                violation(Violation.HELD_AGAIN, caller.process().name() + " holds a lock that it did not hold before");
            }
            caller.newGrant()
                    .filter(grant -> !grant.isValid())
                    .ifPresent(grant -> violation(
                            Violation.GIVEN_UNHELD, caller.process().name() + " got a lock that it does not hold"));
        }
        if (scope.bounds().waitWithTimers()) {
            callers.stream()
                    .filter(this::waitsForEver)
                    .forEach(caller -> violation(
                            Violation.NOT_SERVED, caller.process().name() + " waits for ever: it never reads again"));
        }
        if (scope.bounds().endWithoutSlots() && isOver()) {
            rows.inTheWay()
                    .ifPresent(slot -> violation(
                            Violation.LEFT_BEHIND,
                            "no process requests the lock, and a slot is still " + SlotWrite.text(slot)));
        }
        List<String> conflicting = callers.stream()
                .filter(caller -> callers.stream().anyMatch(other -> other != caller && caller.conflictsWith(other)))
                .map(caller -> caller.process().name() + " in mode " + caller.mode())
                .toList();
        if (!conflicting.isEmpty()) {
            violation(Violation.TWO_HOLDERS, String.join(" and ", conflicting) + " hold the lock");
        }
    }

    /** Whether it waits, and neither a request of its own nor a timer can end the wait. */
    private boolean waitsForEver(SmallCaller caller) {
        SmallProcess process = caller.process();
        return caller.isWaiting()
                && requests.stream().noneMatch(request -> request.process() == process && isAwaited(request))
                && process.nextTimer()
                        .filter(instant -> instant <= scope.horizon())
                        .isEmpty();
    }

    private boolean isOver() {
        return requests.isEmpty() && callers.stream().allMatch(SmallCaller::isDone);
    }

    private void violation(Violation kind, String what) {
        violations.add(kind.at(time.now(), what));
    }

    List<String> violations() {
        return violations;
    }

    /** Equal for equal states. */
    StateKey key() {
        StateKey key =
                StateKey.EMPTY.with(time.now()).with(left.key()).with(pausedAt).with(sessions.key());
        for (SmallCaller caller : callers) {
            key = key.with(caller.process().seen())
                    .with(cutOff.contains(caller.process()) ? 1 : 0)
                    .with(paused.contains(caller.process()) ? 1 : 0);
        }
        for (Request request : requests.stream().sorted(IN_ORDER).toList()) {
            key = key.with(request.process().number()).with(request.number()).with(request.key());
            key = key.with(isAwaited(request) ? 1 : 0);
        }
        return key.with(rows.key()).with(notices.key());
    }

    /** What each process has done at the beginning, for people. */
    String situation() {
        return callers.stream().map(this::situation).collect(Collectors.joining("; "));
    }

    private String situation(SmallCaller caller) {
        String name = caller.process().name();
        if (caller.hasGrant()) {
            return name + " holds the lock in mode " + caller.mode();
        }
        return firstRequestOf(caller.process())
                .map(request -> name + " has requested the lock, and has sent its " + request)
                .orElse(name + " waits for the lock");
    }

    /** What a step does, for people; before it is taken. */
    String text(Step step) {
        String name = callers.get(step.process()).process().name();
        return switch (step.kind()) {
            case START -> name + " requests the lock";
            case CONVERT ->
                name + " converts the lock to " + callers.get(step.process()).nextMode();
            case GIVE_UP -> name + " gives up its conversion";
            case RELEASE -> name + " releases the lock";
            case CRASH -> name + " crashes";
            case CUT_OFF -> name + " is cut off from the table of sessions";
            case PAUSE -> name + " pauses";
            case RESUME -> name + " goes on";
            case TIMER -> name + "'s next timer ends";
            case DECIDE -> name + "'s " + request(step) + " is decided";
            case ANSWER ->
                name + "'s " + request(step) + " is answered " + request(step).answerText(step.choice());
            case TIME_OUT -> name + "'s " + request(step) + " is not answered in time";
            case EXPIRE ->
                name + "'s slot may expire, as it was left by its write of "
                        + SlotWrite.text(expiry(step).version().slot().orElseThrow());
            case DELIVER -> name + "'s notice arrives: " + notices.text(step);
            case DELIVER_COPY -> "a copy of " + name + "'s notice arrives: " + notices.text(step);
        };
    }
}
