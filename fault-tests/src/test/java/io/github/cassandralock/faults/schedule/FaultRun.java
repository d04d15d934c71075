package io.github.cassandralock.faults.schedule;

import io.github.cassandralock.faults.cluster.Worker;
import io.github.cassandralock.faults.judge.Window;
import io.github.cassandralock.faults.workload.WorkerMain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets faults strike one after the other, each when everything works again after the one before. */
public final class FaultRun {

    private static final Logger log = LoggerFactory.getLogger(FaultRun.class);

    /** Far more than any recovery should take, on a machine that has other things to do. */
    private static final Duration RECOVERY_BOUND = Duration.ofMinutes(2);

    private static final Duration LOOKS = Duration.ofMillis(100);

    private final Scene scene;
    private final List<Strike> strikes = new ArrayList<>();

    /**
     * A fault that struck.
     *
     * @param window from when on locks may be lost, and until when: a lease after all workers had locks again, since that is
     *     how long a loss may take to show
     * @param recovery how long it took from its end until all workers had had a lock again
     */
    public record Strike(String kind, Window window, Duration recovery) {}

    public FaultRun(Scene scene) {
        this.scene = scene;
    }

    public List<Strike> strikes() {
        return List.copyOf(strikes);
    }

    /** Starting is like recovering: until all workers have had a lock. */
    public void begin() throws InterruptedException {
        long startedAt = now();
        awaitRecovery(startedAt, "the start");
        strikes.add(new Strike("start", new Window(startedAt, now() + Schedule.LEASE.toNanos()), Duration.ZERO));
    }

    /** Plays a few faults. */
    public void runQuickly(Schedule schedule) throws InterruptedException {
        play(schedule.quickRound(), now(), Duration.ZERO);
    }

    /** Plays rounds until the time is over, or one short round if there is none. */
    public void run(Schedule schedule, Duration time) throws InterruptedException {
        long startedAt = now();
        play(time.isZero() ? schedule.shortRound() : schedule.round(), startedAt, time);
        while (now() - startedAt < time.toNanos()) {
            play(schedule.round(), startedAt, time);
        }
    }

    private void play(List<Fault> faults, long startedAt, Duration time) throws InterruptedException {
        for (Fault fault : faults) {
            if (!time.isZero() && now() - startedAt >= time.toNanos()) {
                return;
            }
            log.info(
                    "Fault {}, {} of {} minutes: {}",
                    strikes.size(),
                    Duration.ofNanos(now() - startedAt).toMinutes(),
                    time.toMinutes(),
                    fault);
            strikes.add(strike(fault));
            // a lease, and then half of one in which nothing may be lost any more
            TimeUnit.NANOSECONDS.sleep(Schedule.LEASE.toNanos() * 3 / 2);
        }
    }

    /** One at least, and fewer than there are locks: the others go on meanwhile. */
    private static List<Integer> holders(Fault fault) {
        return fault.workers().isEmpty()
                ? List.of(1)
                : fault.workers().stream().limit(WorkerMain.LOCKS.size() - 1).toList();
    }

    /** When it strikes, those that it strikes have locks that they mean to keep for longer than a lease. */
    private Strike strike(Fault fault) throws InterruptedException {
        for (int holder : holders(fault)) {
            scene.fleet().worker(holder).awaitLongHold();
        }
        long from = now();
        fault.strike().accept(scene);
        TimeUnit.NANOSECONDS.sleep(fault.lasts().toNanos());
        fault.heal().accept(scene);
        long healedAt = now();
        awaitRecovery(healedAt, fault.toString());
        Duration recovery = Duration.ofNanos(now() - healedAt);
        log.info("All workers have locks again, after {} ms", recovery.toMillis());
        return new Strike(fault.kind(), new Window(from, now() + Schedule.LEASE.toNanos()), recovery);
    }

    private void awaitRecovery(long since, String from) throws InterruptedException {
        for (Worker worker : scene.fleet().workers()) {
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
