package io.github.cassandralock.sample;

import static io.github.cassandralock.DistributedLock.Strategy.TRY_GET_LOCK;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.github.cassandralock.DistributedLock;
import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** A job of which every slot of time is run by one instance only, though all are scheduled. */
@Component
class DailyClosing {

    static final Duration SLOT = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(DailyClosing.class);

    private final CqlTemplate cql;
    private final InstanceName instance;

    DailyClosing(CqlTemplate cql, InstanceName instance) {
        this.cql = cql;
        this.instance = instance;
    }

    /**
     * The lock keeps instances apart that run at the same time; the record of the slot keeps one from repeating, a little
     * later, what another has done.
     */
    @Scheduled(fixedRateString = "${bank.closing-interval:5s}")
    @DistributedLock(key = "'daily-closing'", strategy = TRY_GET_LOCK)
    public void closeTheBooks() {
        long slot = Clock.systemUTC().millis() / SLOT.toMillis();
        if (isDone(slot)) {
            return;
        }
        log.info("Closing the books for slot {}", slot);
        cql.execute(SimpleStatement.newInstance(
                        "INSERT INTO bank.job_runs (slot, instance) VALUES (?, ?)", slot, instance.value())
                .setConsistencyLevel(DefaultConsistencyLevel.QUORUM));
    }

    private boolean isDone(long slot) {
        return !cql.queryForList(SimpleStatement.newInstance("SELECT instance FROM bank.job_runs WHERE slot = ?", slot)
                        .setConsistencyLevel(DefaultConsistencyLevel.QUORUM))
                .isEmpty();
    }
}
