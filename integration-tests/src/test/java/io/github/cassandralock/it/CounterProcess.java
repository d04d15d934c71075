package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.testing.checkers.History;
import io.github.cassandralock.testing.processes.JvmProcess;
import io.github.cassandralock.testing.workload.Event;
import io.github.cassandralock.testing.workload.JournalReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A {@link CounterWorker} and what it records. */
final class CounterProcess {

    private static final Duration BOUND = Duration.ofMinutes(4);

    private final String name;
    private final JvmProcess worker;
    private final JournalReader journal;
    private boolean killed;

    private CounterProcess(String name, JvmProcess worker, JournalReader journal) {
        this.name = name;
        this.worker = worker;
        this.journal = journal;
    }

    /**
     * Starts it.
     *
     * @param directory where the counter, the journals and the logs are
     * @param modes from which each use of the lock takes one
     * @param settings of the application, on the command line
     */
    static CounterProcess start(String name, String lockId, Path directory, List<LockMode> modes, List<String> settings)
            throws IOException {
        Path journal = directory.resolve(name + ".journal");
        List<String> arguments = new ArrayList<>(List.of(
                name,
                lockId,
                journal.toString(),
                directory.toString(),
                modes.stream().map(LockMode::name).collect(Collectors.joining(","))));
        arguments.addAll(settings);
        JvmProcess worker = JvmProcess.start(CounterWorker.class, arguments, directory.resolve(name + ".log"));
        return new CounterProcess(name, worker, new JournalReader(journal));
    }

    /** How often it has used the lock. */
    long uses() {
        return journal.events().stream().filter(Event.Left.class::isInstance).count();
    }

    /** Whether one of its threads has entered the lock and has not left it. */
    boolean isUnderTheLock() {
        return isUnderTheLock(LockMode.NULL);
    }

    /** The same, in a mode that covers this one. */
    private boolean isUnderTheLock(LockMode mode) {
        Set<String> inMode = new HashSet<>();
        Set<String> under = new HashSet<>();
        for (Event event : journal.events()) {
            String attempt = event.thread() + " " + event.attempt();
            if (event instanceof Event.Asked asked && asked.mode().covers(mode)) {
                inMode.add(attempt);
            } else if (event instanceof Event.Entered && inMode.contains(attempt)) {
                under.add(attempt);
            } else if (event instanceof Event.Left) {
                under.remove(attempt);
            }
        }
        return !under.isEmpty();
    }

    /** Returns when it has used the lock so many times more. */
    void awaitUses(int more) {
        long enough = uses() + more;
        await("uses of the lock by " + name)
                .atMost(BOUND)
                .until(() -> uses() >= enough || !worker.process().isAlive());
        assertThat(worker.process().isAlive())
                .as("the process lives; if not, this is why: %s", worker.endOfLog())
                .isTrue();
    }

    /**
     * Kills it while it is under the lock, in a mode that covers this one. It is paused to look at it, and goes on if it was between
     * two locks.
     */
    void killUnderTheLock(LockMode mode) throws Exception {
        worker.pause();
        while (!isUnderTheLock(mode)) {
            worker.resume();
            awaitUses(1);
            worker.pause();
        }
        kill();
    }

    void kill() throws InterruptedException {
        worker.kill();
        killed = true;
    }

    /** If it has not ended yet, whatever it does. */
    void endAtOnce() throws InterruptedException {
        worker.kill();
    }

    /** Lets it end what it has begun. */
    void stop() throws Exception {
        worker.stop();
    }

    History history() {
        return new History(name, journal.events(), System.nanoTime(), killed);
    }
}
