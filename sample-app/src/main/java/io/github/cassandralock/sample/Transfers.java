package io.github.cassandralock.sample;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.RemoteLocks;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;

/**
 * Moves money from one account to another, under the locks of both. {@link Bank} takes its locks by annotation; this class uses
 * the injected {@link RemoteLocker}, because it asks the locks immediately before it writes.
 *
 * <p>What happens if something breaks:
 *
 * <ul>
 *   <li>The process dies before the write: nothing has moved.
 *   <li>The process dies during the write: Cassandra completes a logged batch once a coordinator has it. The locks stay taken for
 *       two thirds of a lease at least, and the lease of the sample is long enough for that ({@code application.yml}).
 *   <li>The process lives, and no write is acknowledged: the call fails. Cassandra may carry the batch out later. If another holder has
 *       changed one of the accounts by then, half of the transfer counts. So the caller has to look at both accounts.
 *   <li>The lease is lost before the write: the call fails, and nothing has moved.
 *   <li>The process stands still between the last look at the locks and the write, for longer than the lease: the write is sent
 *       although the locks are lost, and may undo what a later holder wrote. No lock can prevent this. Where it must not happen, let
 *       the data refuse such a write, by a condition on a fencing token, or move money by half transactions; see the guide's pages
 *       on fencing tokens and on exactly once.
 * </ul>
 */
@Service
class Transfers {

    private static final Logger log = LoggerFactory.getLogger(Transfers.class);

    /** Of one write whose outcome is unknown. */
    private static final int MOST_TRIES = 3;

    private final RemoteLocker locker;
    private final Accounts accounts;
    private final BankProperties properties;

    Transfers(RemoteLocker locker, Accounts accounts, BankProperties properties) {
        this.locker = locker;
        this.accounts = accounts;
        this.properties = properties;
    }

    /**
     * Moves the amount. Both accounts must exist: money that was sent to a mistyped account would be gone.
     *
     * @throws SameAccountException if the accounts are the same
     * @throws UnknownAccountException if one of them does not exist
     * @throws InsufficientFundsException if the first one holds less than the amount
     */
    Transfer transfer(String from, String to, Amount amount) {
        // Two locks of one name are one lock, and the second of two writes to one account would win.
        if (from.equals(to)) {
            throw new SameAccountException(from);
        }
        // Both locks or none, always in the order of their names: transfers in opposite directions do not wait for each
        // other in a cycle. The names are those of Bank, so deposits and withdrawals wait, too.
        try (RemoteLocks locks =
                locker.getLocks(List.of("account:" + from, "account:" + to), properties.lockTimeout())) {
            Transfer transfer = new Transfer(
                    accounts.get(from).withdraw(amount), accounts.get(to).deposit(amount));
            save(transfer, locks);
            return transfer;
        }
    }

    /**
     * A write that failed may have taken effect on some nodes, or may do so later. So it is repeated while the locks are held:
     * otherwise the next holder could read one balance from before the transfer and one from after it. A repeated write does no
     * harm, because it stores balances, not differences.
     */
    private void save(Transfer transfer, RemoteLocks locks) {
        for (int attempt = 1; ; attempt++) {
            locks.ensureHeld();
            try {
                accounts.saveBoth(transfer.from(), transfer.to());
                return;
            } catch (DataAccessException e) {
                if (attempt == MOST_TRIES) {
                    throw e;
                }
                log.warn("The outcome of {} is unknown, so the same write is sent again: {}", transfer, e.toString());
            }
        }
    }
}
