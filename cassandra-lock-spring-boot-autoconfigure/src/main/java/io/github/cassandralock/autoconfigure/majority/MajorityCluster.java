package io.github.cassandralock.autoconfigure.majority;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.LockLoss;
import io.github.cassandralock.internal.assembly.AlgorithmFactory;
import io.github.cassandralock.internal.cassandra.CassandraBirthStore;
import io.github.cassandralock.internal.lazy.DeferredAlgorithm;
import io.github.cassandralock.internal.majority.Birth;
import io.github.cassandralock.internal.majority.BirthStore;
import io.github.cassandralock.internal.majority.Maturity;
import io.github.cassandralock.internal.majority.SlotTokenRegister;
import io.github.cassandralock.internal.majority.TokenRegister;
import io.github.cassandralock.internal.startup.NotStartedException;
import io.github.cassandralock.internal.startup.StartProgress;
import io.github.cassandralock.internal.startup.StartReport;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One cluster of a majority, connected in the background: the application starts even if it is down. Until it is connected, its
 * stores fail with the reason. Lost tables are created again while the application runs. Thread-safe.
 */
final class MajorityCluster implements LockAlgorithm, BirthStore, TokenRegister {

    private static final Logger log = LoggerFactory.getLogger(MajorityCluster.class);
    private static final Duration BETWEEN_REPAIRS = Duration.ofSeconds(1);

    private record Stores(CassandraBirthStore births, SlotTokenRegister tokens) {}

    private final String threads;
    private final String id;
    private final CqlSession session;
    private final boolean ownsSession;
    private final AlgorithmFactory factory;
    private final Optional<CqlIdentifier> keyspace;
    private final DeferredAlgorithm algorithm;
    private final AtomicBoolean repairing = new AtomicBoolean();
    private volatile @Nullable Stores stores;
    private volatile @Nullable Thread repair;
    private volatile boolean closed;

    /**
     * @param threads the beginning of the names of threads
     * @param ownsSession whether the session is closed with the cluster
     * @param factory creates the algorithm ticket over this session
     * @param explanation returns what happened and what to do after a failure
     * @param longestPause between two tries to use it
     */
    MajorityCluster(
            String threads,
            String id,
            CqlSession session,
            boolean ownsSession,
            AlgorithmFactory factory,
            Optional<CqlIdentifier> keyspace,
            Function<Throwable, String> explanation,
            Duration longestPause) {
        this.threads = threads;
        this.id = id;
        this.session = session;
        this.ownsSession = ownsSession;
        this.factory = factory;
        this.keyspace = keyspace;
        this.algorithm = new DeferredAlgorithm(
                threads,
                "ticket",
                true,
                this::create,
                UnaryOperator.identity(),
                new StartReport(log, "Locks in the cluster '" + id + "'", explanation),
                longestPause);
    }

    String id() {
        return id;
    }

    void begin() {
        algorithm.begin();
    }

    /** Completes when the first try to use the cluster has ended, even by a failure. */
    CompletableFuture<Void> firstTry() {
        return algorithm.firstTry();
    }

    boolean isUsable() {
        return stores != null;
    }

    /** Returns why it cannot be used, and what to do. */
    String problem() {
        return "'" + id + "': "
                + algorithm.problem().map(NotStartedException::reason).orElse("");
    }

    private LockAlgorithm create(StartProgress progress) {
        AlgorithmFactory.Ticket ticket = factory.ticket(keyspace, progress);
        try {
            stores = new Stores(ticket.births(), new SlotTokenRegister(ticket.slots()));
            return ticket.algorithm();
        } catch (RuntimeException | Error e) {
            ticket.algorithm().close();
            throw e;
        }
    }

    @Override
    public String getName() {
        return algorithm.getName();
    }

    @Override
    public Attempt acquire(AcquireRequest request) {
        return algorithm.acquire(request);
    }

    @Override
    public void abandonAll(LockLoss loss) {
        algorithm.abandonAll(loss);
    }

    @Override
    public CompletionStage<Optional<Birth>> read() {
        CompletionStage<Optional<Birth>> birth =
                with(present -> present.births().read());
        birth.whenComplete((done, refusal) -> {
            if (refusal != null && RefusedRequestException.in(refusal).isPresent()) {
                createTablesAgain();
            }
        });
        return birth;
    }

    @Override
    public CompletionStage<Void> write(Birth fresh) {
        return with(present -> present.births().write(fresh));
    }

    @Override
    public CompletionStage<Void> ripen(UUID incarnation, Maturity maturity) {
        return with(present -> present.births().ripen(incarnation, maturity));
    }

    @Override
    public CompletionStage<OptionalLong> read(String lockId, UUID incarnation) {
        return with(present -> present.tokens().read(lockId, incarnation));
    }

    @Override
    public CompletionStage<Void> raise(String lockId, UUID incarnation, long token) {
        return with(present -> present.tokens().raise(lockId, incarnation, token));
    }

    private <T> CompletionStage<T> with(Function<Stores, CompletionStage<T>> request) {
        Stores present = stores;
        return present == null ? CompletableFuture.failedFuture(notUsable()) : request.apply(present);
    }

    private Throwable notUsable() {
        return algorithm
                .problem()
                .<Throwable>map(Function.identity())
                .orElseGet(() -> new IllegalStateException("The cluster '" + id + "' is about to be used"));
    }

    /** Blocks. Runs on a thread of its own, one at a time. */
    private void createTablesAgain() {
        if (!closed && repairing.compareAndSet(false, true)) {
            Thread thread = new Thread(this::createTables, threads + "tables-" + id);
            thread.setDaemon(true);
            repair = thread;
            thread.start();
            if (closed) {
                thread.interrupt();
            }
        }
    }

    private void createTables() {
        try {
            tryToCreateTables();
            Thread.sleep(BETWEEN_REPAIRS.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            repairing.set(false);
        }
    }

    private void tryToCreateTables() {
        try {
            factory.ticketTables(keyspace, StartProgress.UNHEARD);
            log.info("The tables of the cluster '{}' are there again", id);
        } catch (RuntimeException e) {
            log.debug("The tables of the cluster '{}' could not be created", id, e);
        }
    }

    /** Closes the session after the algorithm, which ends its session in the cluster. */
    @Override
    public CompletionStage<Void> closeAsync() {
        closed = true;
        Thread thread = repair;
        if (thread != null) {
            thread.interrupt();
        }
        Supplier<CompletionStage<Void>> closing =
                ownsSession ? session::closeAsync : () -> CompletableFuture.completedFuture(null);
        return algorithm
                .closeAsync()
                .handle((done, refused) -> closing.get())
                .thenCompose(Function.identity())
                .exceptionally(refused -> null);
    }
}
