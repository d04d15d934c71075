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

    public CqlRequests(SessionFactory sessions, LockConsistency consistency, LockSerialConsistency serialConsistency) {
        this.sessions = sessions;
        this.template = new AsyncCqlTemplate(sessions);
        this.consistency = consistency;
        this.serialConsistency = serialConsistency;
    }

    /** Requests to one table. */
    TableRequests to(QualifiedTable table) {
        return new TableRequests(table, sessions, template, consistency, serialConsistency);
    }
}
