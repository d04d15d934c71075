package io.github.cassandralock.sample;

import static io.github.cassandralock.DistributedLock.Strategy.TRY_GET_LOCK;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.github.cassandralock.DistributedLock;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.stereotype.Service;

/** SMS that are sent once: of several that want to send one it is enough that one does (the soft strategy). */
@Service
class Notifications {

    private static final Logger log = LoggerFactory.getLogger(Notifications.class);

    private final CqlTemplate cql;
    private final InstanceName instance;

    Notifications(CqlTemplate cql, InstanceName instance) {
        this.cql = cql;
        this.instance = instance;
    }

    /** Whether this call sent it; empty if somebody else is at it. */
    @DistributedLock(key = "sms:#{#account}", strategy = TRY_GET_LOCK)
    public Optional<Boolean> sendOnce(String account) {
        if (isRecorded(account)) {
            return Optional.of(false);
        }
        log.info("SMS to the owner of account {}: welcome to the bank", account);
        record(account);
        return Optional.of(true);
    }

    private boolean isRecorded(String account) {
        return !cql.queryForList(
                        SimpleStatement.newInstance("SELECT sent_by FROM bank.notifications WHERE account = ?", account)
                                .setConsistencyLevel(DefaultConsistencyLevel.QUORUM))
                .isEmpty();
    }

    private void record(String account) {
        cql.execute(SimpleStatement.newInstance(
                        "INSERT INTO bank.notifications (account, sent_by) VALUES (?, ?)", account, instance.value())
                .setConsistencyLevel(DefaultConsistencyLevel.QUORUM));
    }
}
