package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.Copy;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.copy.KeepAlive;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.queue.DecodedCell;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import io.github.cassandralock.exactlyonce.queue.SoleProducer;
import io.github.cassandralock.exactlyonce.queue.TwoProducersException;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.WriteIds;
import io.github.cassandralock.exactlyonce.sink.Outbox;
import io.github.cassandralock.exactlyonce.sink.OutboxPump;
import io.github.cassandralock.exactlyonce.sink.PumpListener;
import io.github.cassandralock.exactlyonce.sink.SinkCopy;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Copies that are killed, closed and stopped; then all copies but one of each kind stand still, and the one must finish; then all
 * wake, and all late writes land.
 */
abstract class World {

    private static final int MOST_STEPS_ALONE = 60_000;
    private static final int STEPS_AFTER_WAKING = 300;
    private static final int PAUSE = 24;

    protected static final GrowingPauses PAUSES = new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(2));

    /** What runs in one simulated thread: a copy, or a task. */
    interface Running {
        void start();

        /** Ends it as an application does, without waiting for its end. */
        void close();

        static Running of(Copy<?> copy) {
            return new Running() {
                @Override
                public void start() {
                    copy.start();
                }

                @Override
                public void close() {
                    try {
                        copy.close(Duration.ZERO);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
            };
        }

        static Running of(Thread thread) {
            return new Running() {
                @Override
                public void start() {
                    thread.start();
                }

                @Override
                public void close() {
                    thread.interrupt();
                }
            };
        }
    }

    /** What a thread does that runs no copy. */
    interface Task {
        void run() throws InterruptedException;
    }

    /** Makes a copy whose thread comes from the given factory; called again when the copy was killed. */
    interface Maker {
        Running make(ThreadFactory threads, int copy);
    }

    /** A kind of actors of which one is enough. */
    private static final class Role {
        final String name;
        final Maker maker;
        final boolean revives;
        final List<Member> members = new ArrayList<>();

        Role(String name, Maker maker, boolean revives) {
            this.name = name;
            this.maker = maker;
            this.revives = revives;
        }
    }

    private static final class Member {
        final Role role;
        final int number;
        Scheduler.Actor actor;
        Running running;

        Member(Role role, int number, Scheduler.Actor actor, Running running) {
            this.role = role;
            this.number = number;
            this.actor = actor;
            this.running = running;
        }
    }

    private enum Stage {
        CHAOS,
        ALONE,
        AWAKE
    }

    protected final SplittableRandom random;
    protected final Scheduler scheduler;
    protected final SimulatedStore store;
    protected final Map<String, Layout> layouts = new TreeMap<>();
    private final List<Role> roles = new ArrayList<>();
    private Faults faults;
    private Stage stage = Stage.CHAOS;
    private long stageEnds;
    private int processes;
    private boolean running;
    private boolean finished;
    private boolean isMidwayOver;
    int crashes;

    World(long seed, Function<SplittableRandom, Faults> faultModel, SimulatedStore.Observer observer) {
        random = new SplittableRandom(seed);
        faults = faultModel.apply(random);
        stageEnds = faults.chaos();
        scheduler = new Scheduler(random, faults.switches(), this::tick);
        store = new SimulatedStore(scheduler, random, this::faults, observer);
    }

    protected Faults faults() {
        return faults;
    }

    /** Whether all there is to do is done. */
    protected abstract boolean isDone();

    /** How far it is, for people. */
    protected abstract String told();

    protected abstract void violated(Violation violation, String what);

    /** In the middle of the faults. */
    protected void midway() {}

    /** At the end of the faults. */
    protected void beforeOneIsLeft() {}

    /** Kills all copies of a role that do not stand still for ever, and makes them again. */
    protected void restart(String name) {
        roles.stream().filter(role -> role.name.equals(name)).forEach(role -> {
            for (Member member : List.copyOf(role.members)) {
                if (!member.actor.isFrozen()) {
                    member.actor.kill();
                    replace(member, 20);
                }
            }
        });
    }

    private void replace(Member member, int longestSleep) {
        Member next = made(member.role, member.number);
        member.role.members.set(member.role.members.indexOf(member), next);
        next.actor.sleepUntil(scheduler.step() + random.nextInt(longestSleep));
        next.running.start();
    }

    protected void role(String name, int copies, boolean revives, Maker maker) {
        Role role = new Role(name, maker, revives);
        roles.add(role);
        for (int copy = 0; copy < copies; copy++) {
            role.members.add(made(role, copy));
        }
        if (running) {
            role.members.forEach(member -> member.running.start());
        }
    }

    private Member made(Role role, int copy) {
        List<Scheduler.Actor> created = new ArrayList<>();
        Running running = role.maker.make(scheduler.threads(role.name + "-" + copy, created), copy);
        return new Member(role, copy, created.get(0), running);
    }

    /** The registers as a new process sees them. */
    protected Registers registers() {
        return new Registers(store, WriteIds.of(new UUID(0, ++processes)), length -> scheduler.pause(PAUSE), PAUSES);
    }

    protected Layout layoutOf(String queue) {
        Layout layout = layouts.get(queue);
        if (layout == null) {
            throw new IllegalArgumentException("no queue " + queue);
        }
        return layout;
    }

    protected MessageQueue queue(String name, Registers registers) {
        return new MessageQueue(name, layoutOf(name), registers);
    }

    /** The calendar of each copy is wrong in its own way. */
    protected CopyEnvironment environment(ThreadFactory threads) {
        long skew = random.nextInt(1_000);
        return new CopyEnvironment(
                () -> 1_000_000 + skew + scheduler.step() / 4,
                length -> scheduler.pause(PAUSE),
                threads,
                scheduler::runTogether,
                KeepAlive.none(),
                () -> TimeUnit.MILLISECONDS.toNanos(scheduler.step()),
                Optional.empty());
    }

    // What runs

    protected void thread(String name, int members, boolean revives, Task task) {
        role(name, members, revives, (threads, member) -> Running.of(threads.newThread(() -> run(name, task))));
    }

    private void run(String name, Task task) {
        try {
            task.run();
        } catch (Scheduler.Crash | InterruptedException e) {
            // It was killed or closed; it may be made again.
        } catch (RuntimeException e) {
            failed(name, e);
        }
    }

    /**
     * As the guide says: goes on behind the last message of the queue, however it came there.
     *
     * @param rows texts without a duplicate
     * @param largestGroup how many rows a message has at most
     */
    protected void importRows(MessageQueue to, List<String> rows, int largestGroup) throws InterruptedException {
        boolean imported = false;
        while (!imported) {
            SoleProducer producer = to.openSoleProducer("importer");
            int first = producer.getLast().map(last -> rowsUpTo(last, rows)).orElse(0);
            imported = importFrom(first, producer, rows, largestGroup);
        }
    }

    private static int rowsUpTo(Message last, List<String> rows) {
        return rows.indexOf(
                        Codec.utf8().decode(last.payloads().get(last.payloads().size() - 1)))
                + 1;
    }

    private boolean importFrom(int first, SoleProducer producer, List<String> rows, int largestGroup)
            throws InterruptedException {
        int next = first;
        try {
            while (next < rows.size()) {
                int end = Math.min(rows.size(), next + 1 + random.nextInt(largestGroup));
                producer.push(rows.subList(next, end).stream()
                        .map(Codec.utf8()::encode)
                        .toList());
                next = end;
            }
            return true;
        } catch (TwoProducersException e) {
            return false;
        }
    }

    protected Running handler(HandlerDefinition<?> definition, ThreadFactory threads, int copy) {
        return Running.of(new HandlerCopy(definition, "" + copy, handlerListener(), environment(threads)));
    }

    protected Running sink(String name, MessageQueue queue, SimulatedSink sink, ThreadFactory threads, int copy) {
        return Running.of(new SinkCopy(name, queue, sink, PAUSES, "" + copy, sinkListener(), environment(threads)));
    }

    protected Running pump(String name, Outbox outbox, MessageQueue queue, ThreadFactory threads, int copy) {
        return Running.of(new OutboxPump(name, outbox, queue, PAUSES, "" + copy, pumpListener(), environment(threads)));
    }

    private HandlerListener handlerListener() {
        return new HandlerListener() {
            @Override
            public void onFailed(String handler, Throwable cause) {
                World.this.failed(handler, cause);
            }

            @Override
            public void onSequenceViolated(String handler, SequenceViolation violation) {
                violated(Violation.SEQUENCE, handler + ": " + violation);
            }
        };
    }

    private SinkListener sinkListener() {
        return new SinkListener() {
            @Override
            public void onFailed(String sink, Throwable cause) {
                World.this.failed(sink, cause);
            }

            @Override
            public void onSequenceViolated(String sink, SequenceViolation violation) {
                violated(Violation.SEQUENCE, sink + ": " + violation);
            }
        };
    }

    private PumpListener pumpListener() {
        return new PumpListener() {
            @Override
            public void onFailed(String pump, Throwable cause) {
                World.this.failed(pump, cause);
            }
        };
    }

    protected boolean haveEnded(String name) {
        return roles.stream()
                .filter(role -> role.name.startsWith(name))
                .flatMap(role -> role.members.stream())
                .allMatch(member -> member.actor.hasEnded());
    }

    /** A copy has ended although nobody closed it, or a task has thrown something. */
    protected void failed(String who, Throwable cause) {
        if (!(cause instanceof Scheduler.Crash)) {
            violated(Violation.FAILED, who + ": " + cause);
        }
    }

    /**
     * Index → message, of all that was ever in a queue.
     *
     * @param cells the prefix of the queue's cells
     */
    protected SortedMap<Long, Message> contents(String cells, Layout layout) {
        SortedMap<Long, Message> contents = new TreeMap<>();
        store.registers().forEach((register, history) -> {
            if (register.startsWith(cells)) {
                long cell = Long.parseLong(register.substring(cells.length()));
                history.stream()
                        .filter(stored -> stored.getVersion() > 0)
                        .forEach(stored -> DecodedCell.message(stored)
                                .ifPresent(
                                        message -> contents.put(layout.indexIn(cell, stored.getVersion()), message)));
            }
        });
        return contents;
    }

    /** Each message that was there since the sink began must have one effect. */
    protected void checkEffects(String name, SimulatedSink sink, SortedMap<Long, Message> contents) {
        List<MessageId> effects = sink.taken.stream().map(Message::id).toList();
        List<MessageId> there = contents.tailMap(sink.firstIndex()).values().stream()
                .map(Message::id)
                .toList();
        if (new HashSet<>(effects).size() < effects.size()) {
            violated(Violation.DOUBLE, "effects of " + name + ": " + effects);
        }
        if (!new HashSet<>(effects).containsAll(there)) {
            violated(Violation.LOST, "effects of " + name + ": " + effects + " of " + there);
        }
    }

    protected void runToTheEnd() {
        List<Member> all = roles.stream().flatMap(role -> role.members.stream()).toList();
        running = true;
        all.forEach(member -> member.running.start());
        scheduler.run();
        if (!finished) {
            violated(Violation.NO_PROGRESS, "every thread has ended or stands still");
        }
    }

    private void tick() {
        store.tick();
        switch (stage) {
            case CHAOS -> chaos();
            case ALONE -> alone();
            case AWAKE -> awake();
        }
    }

    private void chaos() {
        if (!isMidwayOver && scheduler.step() >= stageEnds / 2) {
            isMidwayOver = true;
            midway();
        }
        if (scheduler.step() >= stageEnds) {
            beforeOneIsLeft();
            leaveOneOfEach();
            return;
        }
        if (random.nextDouble() < faults.crashes()) {
            kill(anyMember());
        }
        if (random.nextDouble() < faults.stops()) {
            anyMember().actor.sleepUntil(scheduler.step() + random.nextInt(faults.standstill()));
        }
    }

    private Member anyMember() {
        List<Member> members = roles.get(random.nextInt(roles.size())).members;
        return members.get(random.nextInt(members.size()));
    }

    private void kill(Member member) {
        if (member.actor.hasEnded() || (!member.role.revives && random.nextInt(8) > 0)) {
            return;
        }
        crashes++;
        if (random.nextInt(4) == 0) {
            member.running.close();
            member.actor.wake();
        } else {
            member.actor.kill();
        }
        if (member.role.revives) {
            replace(member, 200);
        }
    }

    private void leaveOneOfEach() {
        stage = Stage.ALONE;
        stageEnds = scheduler.step() + MOST_STEPS_ALONE;
        faults = faults.afterChaos();
        for (Role role : roles) {
            int left = random.nextInt(role.members.size());
            for (Member member : role.members) {
                if (member.number != left) {
                    member.actor.freeze();
                }
            }
            role.members.get(left).actor.wake();
        }
    }

    private void alone() {
        if (scheduler.step() % 32 == 0 && isDone()) {
            stage = Stage.AWAKE;
            stageEnds = scheduler.step() + STEPS_AFTER_WAKING;
            roles.forEach(role -> role.members.forEach(member -> member.actor.thaw()));
            store.landAll();
        } else if (scheduler.step() >= stageEnds) {
            violated(Violation.NO_PROGRESS, "the copies that were left have not finished: " + told());
            end();
        }
    }

    private void awake() {
        if (scheduler.step() >= stageEnds && (isDone() || scheduler.step() >= stageEnds + MOST_STEPS_ALONE)) {
            if (!isDone()) {
                violated(Violation.NO_PROGRESS, "the copies that woke have undone something");
            }
            store.landAll();
            end();
        }
    }

    private void end() {
        finished = true;
        scheduler.finish();
    }
}
