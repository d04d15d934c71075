package io.github.cassandralock.benchmarks.anatomy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.github.cassandralock.benchmarks.contender.CassandraAddress;
import io.github.cassandralock.benchmarks.contender.Contender;
import io.github.cassandralock.benchmarks.contender.StarterContender;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Compares an uncontended lock and unlock, each time of another lock, with bare quorum operations, in turns on one session. For one
 * thread.
 */
public final class Dissection {

    private static final String TABLE = "CREATE TABLE IF NOT EXISTS " + CassandraAddress.KEYSPACE
            + ".bare (id text, row uuid, value bigint, PRIMARY KEY (id, row))";
    private static final Duration DDL_TIMEOUT = Duration.ofSeconds(60);
    private static final int ROUNDS = 1_000;
    private static final int ROUNDS_FOR_EACH_TRACED = 10;
    private static final UUID ROW = new UUID(1, 1);

    private Dissection() {}

    /**
     * Measures for a minute or so.
     *
     * @param warmUp for how long to do the same before
     */
    public static List<Anatomy> run(CassandraAddress address, Duration warmUp) throws Exception {
        try (CqlSession connection = address.connect()) {
            connection.execute(SimpleStatement.newInstance(TABLE).setTimeout(DDL_TIMEOUT));
            return run(new TracingSession(connection), warmUp);
        }
    }

    private static List<Anatomy> run(TracingSession session, Duration warmUp) throws Exception {
        try (Contender ticket = new StarterContender(List.of(), session.proxy())) {
            AtomicLong locks = new AtomicLong();
            Subject lock = new Subject("`ticket`: lock and unlock", session, () -> {
                ticket.acquire("anatomy-" + locks.incrementAndGet()).release();
                return ticket;
            });
            Subject bare = new Subject("quorum write, read, write", session, new BareOperations(session.proxy())::call);
            return run(List.of(bare, lock), warmUp);
        }
    }

    private static List<Anatomy> run(List<Subject> subjects, Duration warmUp) throws Exception {
        long startedAt = System.nanoTime();
        while (System.nanoTime() - startedAt < warmUp.toNanos()) {
            for (Subject subject : subjects) {
                subject.warmUp();
            }
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (Subject subject : subjects) {
                subject.run();
                if (round % ROUNDS_FOR_EACH_TRACED == 0) {
                    subject.runTraced();
                }
            }
        }
        return subjects.stream().map(Subject::anatomy).toList();
    }

    /** As many as an uncontended lock and unlock takes, of the same kinds. */
    private static final class BareOperations {

        private final CqlSession session;
        private final PreparedStatement write;
        private final PreparedStatement read;
        private long value;

        BareOperations(CqlSession session) {
            this.session = session;
            write = session.prepare(atQuorum("INSERT INTO bare (id, row, value) VALUES ('bare', ?, ?)"));
            read = session.prepare(atQuorum("SELECT row, value FROM bare WHERE id = ?"));
        }

        private static SimpleStatement atQuorum(String cql) {
            return SimpleStatement.newInstance(cql).setConsistencyLevel(ConsistencyLevel.QUORUM);
        }

        Object call() {
            session.execute(write.bind(ROW, value++));
            session.execute(read.bind("bare"));
            return session.execute(write.bind(ROW, value++));
        }
    }
}
