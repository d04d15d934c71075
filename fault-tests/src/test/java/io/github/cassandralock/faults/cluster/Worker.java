package io.github.cassandralock.faults.cluster;

import io.github.cassandralock.testing.checkers.History;
import io.github.cassandralock.testing.clusters.WrongClock;
import io.github.cassandralock.testing.processes.JvmProcess;
import io.github.cassandralock.testing.proxies.CuttableProxy;
import io.github.cassandralock.testing.proxies.NodeProxies;
import io.github.cassandralock.testing.workload.Event;
import io.github.cassandralock.testing.workload.JournalReader;
import io.netty.channel.EventLoopGroup;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A place in the fleet: a process that uses locks, or the next one after it was killed, behind a proxy for each node. */
public final class Worker implements AutoCloseable {

    /** So many workers exchange notices whenever they run. */
    public static final int WITH_NOTICES = 2;

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(15);
    private static final Duration LOOKS = Duration.ofMillis(20);

    private final int number;
    private final Path directory;
    private final NodeProxies nodeProxies;
    private final CuttableProxy noticesProxy;
    private final Duration longestLease;
    private final long seed;
    private final List<Instance> instances = new ArrayList<>();
    private double clockRate = 1;
    private @Nullable String clockDrift;
    private List<String> moreArguments = List.of();
    private String classPath = System.getProperty("java.class.path", "");

    /** One process of this place. */
    private static final class Instance {

        private final String name;
        private final JvmProcess process;
        private final JournalReader journal;
        private @Nullable Long endedAt;
        private boolean killed;

        Instance(String name, JvmProcess process, JournalReader journal) {
            this.name = name;
            this.process = process;
            this.journal = journal;
        }

        History history() {
            return new History(name, journal.events(), endedAt == null ? System.nanoTime() : endedAt, killed);
        }
    }

    Worker(
            int number,
            List<InetSocketAddress> nodes,
            EventLoopGroup proxyThreads,
            Path directory,
            Duration longestLease,
            long seed) {
        this.number = number;
        this.directory = directory;
        this.nodeProxies = new NodeProxies(proxyThreads, nodes);
        this.noticesProxy = new CuttableProxy(proxyThreads, port -> new InetSocketAddress(ownAddress(number), port));
        this.longestLease = longestLease;
        this.seed = seed;
        setHoursAhead(0);
    }

    /** The proxy listens at the same port of another address: a process advertises the port at which it listens. */
    private static InetAddress ownAddress(int number) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 2, (byte) number});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private Instance current() {
        return instances.get(instances.size() - 1);
    }

    void start() {
        String name = "worker-" + number + "-" + (instances.size() + 1);
        Path journal = directory.resolve(name + ".journal");
        List<String> arguments = new ArrayList<>(List.of(
                name,
                journal.toString(),
                directory.toString(),
                longWork().toString(),
                Long.toString(seed * 1_000 + number * 100L + instances.size()),
                "--spring.cassandra.contact-points=" + nodeProxies.contactPoints(),
                "--spring.cassandra.local-datacenter=datacenter1",
                "--spring.cassandra.keyspace-name=" + Nodes.KEYSPACE,
                "--spring.cassandra.request.timeout=1s",
                "--logging.level.io.github.cassandralock.internal.session=debug"));
        WorkerSettings settings = WorkerSettings.of(number, instances.size(), seed);
        arguments.addAll((clockDrift == null ? settings : settings.withClockDrift(clockDrift))
                .arguments(
                        exchangesNotices(),
                        noticesProxy.address(),
                        noticesProxy.target().getAddress()));
        arguments.addAll(moreArguments);
        Map<String, String> environment = new HashMap<>(WrongClock.environment(clock()));
        environment.put(ClockRate.VARIABLE, Double.toString(clockRate));
        environment.put(ThroughProxies.VARIABLE, nodeProxies.byNode());
        try {
            JvmProcess process = JvmProcess.start(classPath, WorkerMain.class, arguments, environment, log(name));
            instances.add(new Instance(name, process, new JournalReader(journal)));
        } catch (IOException e) {
            throw new IllegalStateException("Cannot start " + name, e);
        }
    }

    /** The first ones always do; of the last one's processes, every other one does. */
    private boolean exchangesNotices() {
        return number <= WITH_NOTICES || instances.size() % 2 == 1;
    }

    /** The wall clock steps. */
    public void setHoursAhead(int hours) {
        WrongClock.step(clock(), hours);
    }

    private Path clock() {
        return directory.resolve("worker-" + number + ".clock");
    }

    /**
     * From the next start on.
     *
     * @param rate of the monotonic clock, by that of the machine
     * @param clockDrift the setting in place of one that differs from worker to worker
     */
    public void setClockRate(double rate, String clockDrift) {
        clockRate = rate;
        this.clockDrift = clockDrift;
    }

    /** From the next start on. All workers do errands, or none. */
    void doErrands() {
        moreArguments = List.of(
                "--" + WorkerMain.ERRANDS,
                "--cassandra-lock.deadlock.enabled=true",
                "--cassandra-lock.force-release.enabled=true");
    }

    /** From the next start on. */
    public void setClassPath(String classPath) {
        this.classPath = classPath;
    }

    /** Returns when the current process has a lock that it means to keep for long, or has not got one for some time. */
    public void awaitLongHold() {
        Instance instance = current();
        long before = longHolds(instance);
        long since = System.nanoTime();
        try {
            BufferedWriter input = instance.process.process().outputWriter(StandardCharsets.UTF_8);
            input.write('.');
            input.flush();
        } catch (IOException e) {
            throw new IllegalStateException(instance.name + " does not listen", e);
        }
        while (longHolds(instance) == before && System.nanoTime() - since < LONGEST_WAIT.toNanos()) {
            LockSupport.parkNanos(LOOKS.toNanos());
        }
    }

    private long longHolds(Instance instance) {
        return instance.journal.events().stream().filter(this::isLong).count();
    }

    private boolean isLong(Event event) {
        return event instanceof Event.Entered entered
                && entered.workNanos() >= longWork().toNanos();
    }

    /** Of the locks that the current process holds and means to keep for long, the one that it got last. */
    public Optional<String> lockKeptForLong() {
        List<Event> events = current().journal.events();
        return events.stream()
                .filter(this::isLong)
                .map(Event.Entered.class::cast)
                .filter(entered -> events.stream()
                        .noneMatch(event -> event instanceof Event.Left
                                && event.thread().equals(entered.thread())
                                && event.attempt() == entered.attempt()))
                .reduce((one, next) -> next)
                .flatMap(entered -> events.stream()
                        .filter(event -> event instanceof Event.Asked
                                && event.thread().equals(entered.thread())
                                && event.attempt() == entered.attempt())
                        .map(event -> ((Event.Asked) event).lockId())
                        .findFirst());
    }

    /** Of the current process. */
    public long pid() {
        return current().process.process().pid();
    }

    private Duration longWork() {
        return longestLease.multipliedBy(3).dividedBy(2);
    }

    /** SIGKILL, and a new process. */
    public void restart() {
        kill();
        start();
    }

    /** Lets it end what it has begun, and starts a new process. */
    public void replace() {
        stop();
        start();
    }

    void kill() {
        Instance instance = current();
        try {
            instance.process.kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        if (instance.endedAt == null) {
            instance.endedAt = System.nanoTime();
            instance.killed = true;
        }
    }

    void askToEnd() {
        try {
            current().process.askToEnd();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot ask " + current().name + " to end", e);
        }
    }

    /** Lets it end what it has begun. */
    void stop() {
        Instance instance = current();
        try {
            instance.process.stop();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(instance.name + " did not end when asked to", e);
        }
        instance.endedAt = System.nanoTime();
    }

    /** SIGSTOP. */
    public void pause() {
        try {
            current().process.pause();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("Cannot pause " + current().name, e);
        }
    }

    /** SIGCONT. */
    public void resume() {
        try {
            current().process.resume();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("Cannot resume " + current().name, e);
        }
    }

    /** @param nodes from 1 */
    public void cutFrom(List<Integer> nodes) {
        nodeProxies.cut(nodes);
    }

    /** @param nodes from 1, which receive nothing, and whose answers arrive */
    public void cutRequestsTo(List<Integer> nodes) {
        nodes.forEach(node -> nodeProxies.of(node).cutRequests());
    }

    /** @param nodes from 1, which receive everything, and whose answers do not arrive */
    public void cutAnswersOf(List<Integer> nodes) {
        nodes.forEach(node -> nodeProxies.of(node).cutAnswers());
    }

    /**
     * Answers arrive that much later; requests do not.
     *
     * @param node from 1
     */
    public void delayAnswersOf(int node, Duration time) {
        nodeProxies.of(node).delayAnswers(time);
    }

    /** @param nodes from 1 */
    public void reconnectTo(List<Integer> nodes) {
        nodeProxies.heal(nodes);
    }

    /** How many bytes of notices, or of answers to them, have come through the proxy. */
    public long noticeBytes() {
        return noticesProxy.relayed();
    }

    /** No notice of others arrives; the connections to Cassandra stay as they are. */
    public void cutFromNotices() {
        noticesProxy.cut();
    }

    /** Notices arrive that much later. */
    public void delayNotices(Duration time) {
        noticesProxy.delay(time);
    }

    /** Notices arrive at once, those that were sent meanwhile included. */
    public void healNotices() {
        noticesProxy.heal();
        noticesProxy.delay(Duration.ZERO);
    }

    /** Whether it, or the last of its processes, has had a lock since then. */
    public boolean hasEnteredSince(long time) {
        if (!current().process.process().isAlive()) {
            throw new IllegalStateException(current().name + " ended by itself; its log is in " + directory
                    + ", and ends so:\n" + current().process.endOfLog());
        }
        List<Event> events = current().journal.events();
        for (int i = events.size() - 1; i >= 0 && events.get(i).at() >= time; i--) {
            if (events.get(i) instanceof Event.Entered) {
                return true;
            }
        }
        return false;
    }

    /** What its processes have logged. */
    public String logged() throws IOException {
        StringBuilder logged = new StringBuilder();
        for (Instance instance : instances) {
            logged.append(Files.readString(log(instance.name)));
        }
        return logged.toString();
    }

    private Path log(String name) {
        return directory.resolve(name + ".log");
    }

    List<History> histories() {
        return instances.stream().map(Instance::history).toList();
    }

    @Override
    public void close() {
        if (!instances.isEmpty()) {
            kill();
        }
        nodeProxies.close();
        noticesProxy.close();
    }
}
