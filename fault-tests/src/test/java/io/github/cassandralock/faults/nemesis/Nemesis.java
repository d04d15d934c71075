package io.github.cassandralock.faults.nemesis;

import io.github.cassandralock.faults.cluster.Worker;
import io.github.cassandralock.faults.cluster.WorkerMain;
import io.github.cassandralock.testing.checkers.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Injects faults one after the other, each when everything works again after the one before. */
public final class Nemesis {

    private static final Logger log = LoggerFactory.getLogger(Nemesis.class);

    /** Far more than any recovery should take, on a machine that has other things to do. */
    private static final Duration RECOVERY_BOUND = Duration.ofMinutes(2);

    private static final Duration LOOKS = Duration.ofMillis(100);

    private final FaultTargets targets;
    private final List<Injection> injections = new ArrayList<>();

    /**
     * A fault that was injected.
     *
     * @param window from when on locks may be lost, and until when: a lease after all workers had locks again, since that is
     *     how long a loss may take to show
     * @param lasted how long it lasted
     * @param recovery how long it took from its end until all workers had had a lock again
     */
    public record Injection(String kind, Window window, Duration lasted, Duration recovery) {}

    public Nemesis(FaultTargets targets) {
        this.targets = targets;
    }

    public List<Injection> injections() {
        return List.copyOf(injections);
    }

    /** Starting is like recovering: until all workers have had a lock. */
    public void begin() throws InterruptedException {
        long startedAt = now();
        awaitRecovery(startedAt, "the start");
        injections.add(new Injection(
                "start",
                new Window(startedAt, now() + FaultSchedule.LEASE.toNanos()),
                Duration.ofNanos(now() - startedAt),
                Duration.ZERO));
    }

    /** Plays rounds until the time is over, or one short round if there is none. */
    public void run(FaultSchedule schedule, Duration time) throws InterruptedException {
        long startedAt = now();
        play(time.isZero() ? schedule.shortRound() : schedule.round(), startedAt, time);
        while (now() - startedAt < time.toNanos()) {
            play(schedule.round(), startedAt, time);
        }
    }

    /** Plays this round once. */
    public void run(List<Fault> round) throws InterruptedException {
        play(round, now(), Duration.ZERO);
    }

    private void play(List<Fault> faults, long startedAt, Duration time) throws InterruptedException {
        for (Fault fault : faults) {
            if (!time.isZero() && now() - startedAt >= time.toNanos()) {
                return;
            }
            log.info(
                    "Fault {}, {} of {} minutes: {}",
                    injections.size(),
                    Duration.ofNanos(now() - startedAt).toMinutes(),
                    time.toMinutes(),
                    fault);
            injections.add(inject(fault));
            // a lease, and then half of one in which nothing may be lost any more
            TimeUnit.NANOSECONDS.sleep(FaultSchedule.LEASE.toNanos() * 3 / 2);
        }
    }

    /** One at least, and fewer than there are locks: the others go on meanwhile. */
    private static List<Integer> holders(Fault fault) {
        return fault.workers().isEmpty()
                ? List.of(1)
                : fault.workers().stream().limit(WorkerMain.LOCKS.size() - 1).toList();
    }

    /** When it is injected, those that it affects have locks that they mean to keep for longer than a lease. */
    private Injection inject(Fault fault) throws InterruptedException {
        for (int holder : holders(fault)) {
            targets.fleet().worker(holder).awaitLongHold();
        }
        long from = now();
        fault.inject().accept(targets);
        TimeUnit.NANOSECONDS.sleep(fault.lasts().toNanos());
        fault.heal().accept(targets);
        long healedAt = now();
        awaitRecovery(healedAt, fault.toString());
        Duration recovery = Duration.ofNanos(now() - healedAt);
        log.info("All workers have locks again, after {} ms", recovery.toMillis());
        return new Injection(
                fault.kind(),
                new Window(from, now() + FaultSchedule.LEASE.toNanos()),
                Duration.ofNanos(healedAt - from),
                recovery);
    }

    private void awaitRecovery(long since, String from) throws InterruptedException {
        for (Worker worker : targets.fleet().workers()) {
            while (!worker.hasEnteredSince(since)) {
                if (now() - since > RECOVERY_BOUND.toNanos()) {
                    throw new AssertionError("A worker has had no lock for " + RECOVERY_BOUND + " after " + from);
                }
                TimeUnit.NANOSECONDS.sleep(LOOKS.toNanos());
            }
        }
    }

    private static long now() {
        return System.nanoTime();
    }
}
