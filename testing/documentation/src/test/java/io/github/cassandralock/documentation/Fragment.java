package io.github.cassandralock.documentation;

import io.github.cassandralock.CurrentLock;
import io.github.cassandralock.ReentrantLocks;
import io.github.cassandralock.RemoteLocker;
import java.time.LocalDate;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What fragments of code in the documentation take for given: fragments are compiled as members of its subclasses. It is never
 * instantiated.
 */
@SuppressWarnings("NullAway.Init") // only the types matter
public abstract class Fragment {

    protected RemoteLocker locker;
    protected RemoteLocker remoteLocker;
    protected ReentrantLocks reentrantLocks;
    protected CurrentLock currentLock;
    protected String instanceName;
    protected CqlTemplate cql;
    protected JdbcClient jdbc;
    protected String id;
    protected Invoice invoice;
    protected Archive archive;
    protected Index index;
    protected Pages pages;
    protected Mailing mailing;
    protected Billing billing;

    public record Invoice(String id, String text) {}

    public record Order(String id) {}

    public record Page(String id) {}

    /** Refuses tokens that are lower than the highest that it has seen. */
    public interface Archive {
        void store(Invoice invoice, long token);
    }

    /** Work in pieces. */
    public interface Index {
        boolean hasMore();

        void next();
    }

    /** Work in pieces, each of which ends with a step that cannot be undone. */
    public interface Pages extends Iterable<Page> {
        String render(Page page);

        void publish(Page page, String rendered);
    }

    /** Something that is sent. */
    public interface Mailing {
        void send(String customer);
    }

    /** A class under test, and a job. */
    public static final class Billing {

        public Billing(RemoteLocker locker) {}

        public void onStep(Runnable step) {}

        public void run() {}

        public void bill(LocalDate day) {}
    }
}
