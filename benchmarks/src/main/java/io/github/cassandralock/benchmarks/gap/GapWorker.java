package io.github.cassandralock.benchmarks.gap;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.benchmarks.contender.CassandraAddress;
import io.github.cassandralock.benchmarks.contender.Contender;
import io.github.cassandralock.benchmarks.contender.StarterContender;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.sink.SinkCopy;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/** The process of one worker. It ends when its standard input does. */
public final class GapWorker {

    /** What it says when it is about to work, or to wait for the lock. */
    static final String READY = "READY";

    private static final String LOCK = "gap";

    private GapWorker() {}

    /**
     * Works until the standard input ends.
     *
     * @param mode in the words of {@link Mode}
     * @param name of the worker
     * @param cassandra where the nodes are, as {@link CassandraAddress} writes it
     * @param postgres the URL of the database
     */
    public static void run(String mode, String name, String cassandra, String postgres) throws Exception {
        try (CqlSession session = CassandraAddress.parse(cassandra).connect()) {
            switch (Mode.valueOf(mode)) {
                case COPIES -> {
                    System.out.println(READY);
                    work(session, name, postgres);
                }
                case LOCK -> workUnderALock(session, name, postgres);
            }
        }
    }

    private static void workUnderALock(CqlSession session, String name, String postgres) throws Exception {
        try (StarterContender locks = new StarterContender(List.of(), session)) {
            System.out.println(READY);
            Contender.Hold held = locks.acquire(LOCK);
            try {
                work(session, name, postgres);
            } finally {
                held.release();
            }
        }
    }

    private static void work(CqlSession session, String name, String postgres) throws IOException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(postgres);
        Totals totals = new Totals(session);
        try (HandlerCopy handler = totals.handlerCopy(name);
                SinkCopy sink = totals.sinkCopy(source, name)) {
            handler.start();
            sink.start();
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
