package io.github.cassandralock.internal.cassandra;

import io.github.cassandralock.cassandra.LockConsistency;
import io.github.cassandralock.cassandra.LockSerialConsistency;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.cql.AsyncCqlTemplate;

/** Sends the requests of the locks through Spring Data's asynchronous template, at the configured quorum. Thread-safe. */
public final class CqlRequests {

    private final SessionFactory sessions;
    private final AsyncCqlTemplate template;
    private final LockConsistency consistency;
    private final LockSerialConsistency serialConsistency;
    private final LocalQuorum local;
    private final RequestObserver observer;

    /** Without an observer. */
    public CqlRequests(SessionFactory sessions, LockConsistency consistency, LockSerialConsistency serialConsistency) {
        this(sessions, consistency, serialConsistency, LocalQuorum.NOT_USED, RequestObserver.NONE);
    }

    /**
     * @param local whose quorum a local level means; an answer of another one does not count
     * @param observer is told about every request to the lock tables
     */
    public CqlRequests(
            SessionFactory sessions,
            LockConsistency consistency,
            LockSerialConsistency serialConsistency,
            LocalQuorum local,
            RequestObserver observer) {
        this.sessions = sessions;
        this.template = new AsyncCqlTemplate(sessions);
        this.consistency = consistency;
        this.serialConsistency = serialConsistency;
        this.local = local;
        this.observer = observer;
    }

    /** Requests to one table. */
    TableRequests to(QualifiedTable table) {
        return new TableRequests(table, sessions, template, consistency, serialConsistency, local, observer);
    }
}
