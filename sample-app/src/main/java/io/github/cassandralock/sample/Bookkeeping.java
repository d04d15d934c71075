package io.github.cassandralock.sample;

import static io.github.cassandralock.DistributedLock.Strategy.TRY_GET_LOCK;
import static io.github.cassandralock.DistributedLock.WhenBusy.SKIP;

import io.github.cassandralock.DistributedLock;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Service;

/** Closes the books of each slot of time once, on one instance. */
@Service
class Bookkeeping {

    private final Accounts accounts;
    private final Closings closings;
    private final Instance instance;

    Bookkeeping(Accounts accounts, Closings closings, Instance instance) {
        this.accounts = accounts;
        this.closings = closings;
        this.instance = instance;
    }

    /** Whether an instance has closed the slot. True stays true; false may be outdated outside the lock. */
    public boolean isClosed(Instant slot) {
        return closings.contains(slot);
    }

    /**
     * Closes the slot unless an instance has closed it or is closing it. The lock alone is not enough: the schedules of the
     * instances differ, so one may begin after the other has ended. Therefore the record is read again under the lock.
     */
    @DistributedLock(key = "'closing'", strategy = TRY_GET_LOCK, whenBusy = SKIP)
    public void close(Instant slot) {
        if (!closings.contains(slot)) {
            closings.save(balance(slot));
        }
    }

    /**
     * Reads the balances page by page, without their locks: of a transfer meanwhile, one half may be in the total. For an exact total,
     * all accounts would have to be locked together, as parts of a hierarchy.
     */
    private Closing balance(Instant slot) {
        List<Account> all = accounts.findAll();
        long total = all.stream().mapToLong(Account::balance).sum();
        return new Closing(slot, instance.name(), all.size(), total);
    }
}
