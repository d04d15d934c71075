package io.github.cassandralock.internal.transactions;

import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A transaction of this thread, from its beginning until its connection is given back. The connection stays bound to the thread
 * while callbacks run after the commit or the rollback. Statements and transactional methods join the ended transaction then, and
 * what they write is lost. Spring shows them the state of an open transaction.
 */
public final class ObservedTransaction implements TransactionSynchronization {

    /**
     * By their connections. Spring may fail to report the end of a transaction. Its entry ends when nothing refers to the connection.
     */
    private static final ThreadLocal<Map<ConnectionHolder, ObservedTransaction>> PRESENT =
            ThreadLocal.withInitial(WeakHashMap::new);

    private boolean ended;

    private ObservedTransaction() {}

    /**
     * Returns the transaction of a connection.
     *
     * @param bound to this thread
     * @return empty if nothing observes the transaction's manager
     */
    public static Optional<ObservedTransaction> of(ConnectionHolder bound) {
        return Optional.ofNullable(PRESENT.get().get(bound));
    }

    /**
     * Observes a transaction that has just begun.
     *
     * @param holder has its connection, and belongs to no other transaction
     * @param callbacks whether the transaction calls back when it ends
     */
    static void begin(ConnectionHolder holder, boolean callbacks) {
        ObservedTransaction observed = new ObservedTransaction();
        PRESENT.get().put(holder, observed);
        if (callbacks) {
            TransactionSynchronizationManager.registerSynchronization(observed);
        }
    }

    static void end(ConnectionHolder holder) {
        Map<ConnectionHolder, ObservedTransaction> present = PRESENT.get();
        present.remove(holder);
        if (present.isEmpty()) {
            PRESENT.remove();
        }
    }

    /** Whether the database has committed or rolled back. */
    public boolean hasEnded() {
        return ended;
    }

    /** Before the callbacks of others. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void afterCommit() {
        ended = true;
    }

    @Override
    public void afterCompletion(int status) {
        ended = true;
    }
}
