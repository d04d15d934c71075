package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.handler.HandlerDefinition.OnViolation;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraStoreSettings;
import io.github.cassandralock.exactlyonce.store.cassandra.ReadConsistency;
import io.github.cassandralock.exactlyonce.store.cassandra.SerialConsistency;
import io.github.cassandralock.exactlyonce.store.redis.RedisStoreSettings.ForgetfulServer;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import io.github.cassandralock.internal.startup.ExactDuration;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of exactly-once handlers. A value outside its bounds stops the application at the start.
 *
 * @param enabled Whether the auto-configuration creates beans. An instance that only pushes needs the beans: it
 *     sets exactly-once.copies.enabled to false instead.
 * @param copies Which copies this instance runs.
 * @param store Where states and queues are kept: cassandra, in the CqlSession of the application; jdbc, in the application's
 *     DataSource (PostgreSQL, or H2 for trials); or redis. Ignored if the application defines a RegisterStore bean.
 * @param startup Whether the application needs Cassandra at its start, if that is the store. With eager, Spring Boot opens the
 *     session, and the application does not start if Cassandra cannot be reached. With lazy, the session is opened in the
 *     background, and the health is DOWN until then. Other stores are always opened in the background.
 * @param sessionBean Name of the CqlSession bean of registers in Cassandra. Needed if the application has several and none is
 *     primary. The chosen one is left out where other beans are injected by type. Default: the only one, or the primary one.
 * @param createTables Whether to create the table of registers if it does not exist. If false, it has to exist.
 * @param cassandra Registers in Cassandra.
 * @param jdbc Registers in a relational database.
 * @param redis Registers in Redis.
 * @param poll Reads of a copy that has nothing to do.
 * @param retry Repetition of a function that threw.
 * @param stepLimit How long a step of a handler, sink or pump may take. A longer step is reported while it lasts, in the health and
 *     by a meter. The log then shows the stack of its thread.
 * @param resend Sending parked messages again by the endpoint exactlyonce.
 * @param shutdownTimeout How long the end of all copies is waited for when the application closes.
 * @param metrics Meters of the copies.
 * @param handlers Configuration of single handlers, by their names.
 * @param queues Layouts of queues, by their names. All programs that use a queue must give it the same one.
 */
@ConfigurationProperties("exactly-once")
public record ExactlyOnceProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue Copies copies,
        @DefaultValue("cassandra") Store store,
        @DefaultValue("eager") Startup startup,
        @Nullable String sessionBean,
        @DefaultValue("true") boolean createTables,
        @DefaultValue Cassandra cassandra,
        @DefaultValue Jdbc jdbc,
        @DefaultValue Redis redis,
        @DefaultValue Poll poll,
        @DefaultValue Retry retry,
        @DefaultValue("1m") Duration stepLimit,
        @DefaultValue Resend resend,
        @DefaultValue("10s") Duration shutdownTimeout,
        @DefaultValue Metrics metrics,
        @DefaultValue Map<String, Handler> handlers,
        @DefaultValue Map<String, Queue> queues) {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(2);
    private static final Duration LONGEST_TIME = Duration.ofDays(1);

    /** Where states and queues are kept. */
    public enum Store {
        /** In Apache Cassandra, by the CqlSession of the application. The default. */
        CASSANDRA,

        /** In PostgreSQL, or in H2 for trials, by the application's DataSource. */
        JDBC,

        /** In one Redis server. */
        REDIS
    }

    /** When the application needs Cassandra, if that is the store. */
    public enum Startup {
        /** At the start: without it the application does not start. The default. */
        EAGER,

        /** When registers are read or written: the application starts without it. */
        LAZY
    }

    /**
     * Copies of this instance.
     *
     * @param enabled Whether this instance runs copies of handlers, sinks and pumps. If false, it can push, and other
     *     instances handle.
     * @param excluded Names of handlers, sinks and pumps that this instance does not run.
     */
    public record Copies(
            @DefaultValue("true") boolean enabled,
            @DefaultValue Set<String> excluded) {

        /** Makes the set unmodifiable. */
        public Copies {
            excluded = Set.copyOf(excluded);
        }
    }

    /**
     * Registers in Cassandra.
     *
     * @param keyspace Keyspace of the table, as CQL writes its name: in lower case, or in double quotes. Default: the keyspace of
     *     the session (spring.cassandra.keyspace-name).
     * @param table Table of the registers, as CQL writes its name: in lower case, or in double quotes.
     * @param readConsistency Consistency level of reads: quorum, or local-quorum if all processes that use the
     *     registers run in one data centre.
     * @param serialConsistency Serial consistency level of writes: serial, or local-serial if read-consistency is
     *     local-quorum. Must be equal in all processes.
     * @param timeout How long a request is waited for. Longer than the time-outs of the server.
     */
    public record Cassandra(
            @Nullable String keyspace,

            @DefaultValue(CassandraStoreSettings.DEFAULT_TABLE)
            String table,

            @DefaultValue("quorum") ReadConsistency readConsistency,
            @DefaultValue("serial") SerialConsistency serialConsistency,
            @DefaultValue("5s") Duration timeout) {

        public Cassandra {
            requireTime("cassandra.timeout", timeout, "5s");
            if (serialConsistency == SerialConsistency.LOCAL_SERIAL && readConsistency == ReadConsistency.QUORUM) {
                throw InvalidExactlyOncePropertyException.of(
                        "cassandra.serial-consistency",
                        "local-serial",
                        "two data centres would decide the same write twice, unless all processes run in one of them;"
                                + " if they run in one, set 'exactly-once.cassandra.read-consistency: local-quorum'",
                        "serial");
            }
        }
    }

    /**
     * Registers, and effects of sinks, in a relational database.
     *
     * @param table Table of the registers, or schema and table with a dot between them.
     * @param timeout How long a request is waited for, beside the time in which the DataSource gives a connection.
     * @param dataSourceBean Name of the DataSource bean of registers and sinks. Default: the only bean of this type, or the primary
     *     one.
     * @param transactionManagerBean Name of the PlatformTransactionManager bean in whose transactions the effects of sinks run.
     *     Default: the only one of the sink's DataSource, or the primary one.
     */
    public record Jdbc(
            @DefaultValue("exactly_once_registers") String table,
            @DefaultValue("5s") Duration timeout,
            @Nullable String dataSourceBean,
            @Nullable String transactionManagerBean) {

        public Jdbc {
            requireTime("jdbc.timeout", timeout, "5s");
        }
    }

    /**
     * Registers in Redis.
     *
     * @param uri Address of the server, and how to log in.
     * @param prefix What the keys of registers begin with.
     * @param timeout How long a request is waited for.
     * @param forgetfulServer What to do about a server that may forget what it has acknowledged: refuse it, or warn.
     */
    public record Redis(
            @DefaultValue("redis://localhost:6379") String uri,
            @DefaultValue("exactly-once:") String prefix,
            @DefaultValue("5s") Duration timeout,
            @DefaultValue("refuse") ForgetfulServer forgetfulServer) {

        public Redis {
            requireTime("redis.timeout", timeout, "5s");
        }
    }

    /**
     * Reads of a copy that has nothing to do.
     *
     * @param maxInterval Longest pause between two of them. The pauses begin short, and each is twice as long as the one before. A
     *     message waits for so long at most if the queue was empty before.
     */
    public record Poll(@DefaultValue("500ms") Duration maxInterval) {

        public Poll {
            requireTime("poll.max-interval", maxInterval, "500ms");
        }
    }

    /**
     * Repetition of a function that threw.
     *
     * @param initialInterval Pause before the first repetition. Each pause is twice as long as the one before.
     * @param maxInterval Longest pause.
     */
    public record Retry(
            @DefaultValue("50ms") Duration initialInterval,
            @DefaultValue("30s") Duration maxInterval) {

        public Retry {
            requireTime("retry.initial-interval", initialInterval, "10ms");
            requireTime("retry.max-interval", maxInterval, "1s");
            if (maxInterval.compareTo(initialInterval) < 0) {
                throw InvalidExactlyOncePropertyException.of(
                        "retry.max-interval",
                        maxInterval,
                        "must not be shorter than 'exactly-once.retry.initial-interval', which is '"
                                + ExactDuration.text(initialInterval) + "'",
                        "30s");
            }
        }
    }

    /**
     * Meters of the copies.
     *
     * @param lagInterval How often the number of messages that wait is read from the queues.
     */
    public record Metrics(@DefaultValue("10s") Duration lagInterval) {

        public Metrics {
            requireTime("metrics.lag-interval", lagInterval, "10s");
        }
    }

    /**
     * Configuration of one handler. What its definition sets itself counts more.
     *
     * @param maxInputs How many messages of each input queue a step takes at most. Default: 1.
     * @param maxPayloads How many payloads a message has at most. Default: 1000.
     * @param parking Messages that the function cannot handle are put aside. Default: they are tried for ever.
     * @param onViolation What is done when a message does not follow the one before of its producer: report, or stop.
     *     Default: report.
     */
    public record Handler(
            @Nullable Integer maxInputs,
            @Nullable Integer maxPayloads,
            @Nullable Parking parking,
            @Nullable OnViolation onViolation) {}

    /**
     * Where messages go that a function cannot handle.
     *
     * @param queue Name of the queue to which they are pushed.
     * @param minFailures How often a message has to fail alone before it is parked. A value below 2 counts as 2.
     * @param minDuration How long the failures have to last before the message is parked. Without another message to compare with,
     *     they have to last twelve times as long. A copy without a sign of life for six times as long is not waited for.
     */
    public record Parking(
            @Nullable String queue,
            @DefaultValue("5") int minFailures,
            @DefaultValue("10s") Duration minDuration) {}

    /**
     * Sending parked messages again.
     *
     * @param enabled Whether the endpoint exactlyonce sends parked messages again and discards them. If false, it lists them only.
     */
    public record Resend(@DefaultValue("false") boolean enabled) {}

    /**
     * Layout of one queue.
     *
     * @param layout Layout of the queue: ring, with a bounded number of cells; or keep, with a cell for each message
     *     for ever.
     * @param cells Number of cells of a ring, 2 to 2^30. A consumer that stands still stops the producers after so many
     *     messages.
     */
    public record Queue(
            @DefaultValue("ring") LayoutName layout,
            @DefaultValue("1024") int cells) {

        Layout value() {
            return switch (layout) {
                case RING -> new Layout.Ring(cells);
                case KEEP -> new Layout.Keep();
            };
        }
    }

    /** The layouts of queues. */
    public enum LayoutName {
        /** A fixed number of cells, used again and again. The default. */
        RING,

        /** A cell for each message, for ever. */
        KEEP
    }

    /** Checks what is configured for the instance, and for each handler and queue. */
    public ExactlyOnceProperties {
        if (sessionBean != null && sessionBean.isBlank()) {
            throw InvalidExactlyOncePropertyException.of(
                    "session-bean",
                    sessionBean,
                    "must name a CqlSession bean; remove it to use the only or primary one",
                    "registerSession");
        }
        requireTime("shutdown-timeout", shutdownTimeout, "10s");
        requireTime("step-limit", stepLimit, "1m");
        handlers = Map.copyOf(handlers);
        queues = Map.copyOf(queues);
        handlers.forEach((name, handler) -> check("handlers." + name, handler));
        queues.forEach((name, queue) -> check("queues." + name, queue));
    }

    private static void check(String name, Handler handler) {
        requirePositive(name + ".max-inputs", handler.maxInputs(), "100");
        requirePositive(name + ".max-payloads", handler.maxPayloads(), "1000");
        Parking parking = handler.parking();
        if (parking != null) {
            requirePositive(name + ".parking.min-failures", parking.minFailures(), "5");
            requireTime(name + ".parking.min-duration", parking.minDuration(), "10s");
            if (parking.queue() == null || parking.queue().isBlank()) {
                throw InvalidExactlyOncePropertyException.of(
                        name + ".parking.queue", "", "messages that are put aside need a queue", "parked");
            }
        }
    }

    private static void check(String name, Queue queue) {
        try {
            queue.value();
        } catch (IllegalArgumentException e) {
            throw InvalidExactlyOncePropertyException.of(
                    name + ".cells", queue.cells(), "a ring has 2 to 2^30 cells", "1024");
        }
    }

    private static void requirePositive(String property, @Nullable Integer value, String example) {
        if (value != null && value < 1) {
            throw InvalidExactlyOncePropertyException.of(property, value, "must be at least 1", example);
        }
    }

    private static void requireTime(String property, Duration time, String example) {
        if (time.compareTo(Duration.ofMillis(1)) < 0 || time.compareTo(LONGEST_TIME) > 0) {
            throw InvalidExactlyOncePropertyException.of(
                    property, time, "must be at least one millisecond and at most one day", example);
        }
    }

    GrowingPauses idle() {
        Duration max = poll.maxInterval();
        return new GrowingPauses(max.compareTo(FIRST_PAUSE) < 0 ? max : FIRST_PAUSE, max);
    }

    GrowingPauses afterFailure() {
        return new GrowingPauses(retry.initialInterval(), retry.maxInterval());
    }

    /**
     * A ring of 1,024 cells, unless another layout is configured.
     *
     * @throws InvalidExactlyOncePropertyException if another queue is configured whose key may have been meant for this queue
     */
    Layout layoutOf(String queue) {
        Queue configured = queues.get(queue);
        if (configured == null) {
            QueueKeys.requireNoOther(queues.keySet(), queue);
            return new Layout.Ring(1024);
        }
        return configured.value();
    }
}
