package io.github.cassandralock.it;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockPath;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.processes.ConcurrentTasks;
import io.github.cassandralock.testing.workload.ProtectedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;

/**
 * A process of its own that moves money between accounts, with two threads, and says when it is done. An account is a file; nothing
 * but the locks protects it.
 */
final class TransferWorker {

    static final String DONE = "ALL TRANSFERS ARE DONE";
    static final int ACCOUNTS = 4;
    static final long MONEY = 1_000;

    private static final int OWN_ARGUMENTS = 4;
    private static final int THREADS = 2;
    private static final int TRANSFERS = 40;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MOST_AT_ONCE = 5;
    private static final int ONE_AUDIT_IN = 8;

    /** How the two accounts of a transfer are locked. */
    enum Way {
        /** By their ids. */
        TOGETHER,
        /** As parts of a bank, which is audited as a whole now and then. */
        PATHS
    }

    private final Way way;
    private final String bank;
    private final RemoteLocker locker;
    private final ProtectedFiles accounts;

    private TransferWorker(Way way, String bank, RemoteLocker locker, ProtectedFiles accounts) {
        this.way = way;
        this.bank = bank;
        this.locker = locker;
        this.accounts = accounts;
    }

    static String account(String bank, int number) {
        return bank + "-" + number;
    }

    /** @param arguments name, way, bank, directory of the accounts; then the application's arguments */
    public static void main(String[] arguments) throws Exception {
        List<String> rest = Arrays.asList(arguments).subList(OWN_ARGUMENTS, arguments.length);
        SplittableRandom random = new SplittableRandom(arguments[0].hashCode());
        try (ProtectedFiles accounts = new ProtectedFiles(Path.of(arguments[3]));
                Application application = Application.run(List.of(Application.Configuration.class), rest)) {
            TransferWorker worker =
                    new TransferWorker(Way.valueOf(arguments[1]), arguments[2], application.locker(), accounts);
            List<Callable<Void>> threads = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                RandomGenerator own = random.split();
                threads.add(() -> worker.work(own));
            }
            ConcurrentTasks.runAll(threads);
            System.out.println(DONE);
            while (System.in.read() >= 0) {
                // until the parent closes the pipe or dies
            }
        }
    }

    private Void work(RandomGenerator random) throws IOException {
        for (int transfer = 0; transfer < TRANSFERS; transfer++) {
            if (way == Way.PATHS && random.nextInt(ONE_AUDIT_IN) == 0) {
                audit();
            }
            int from = random.nextInt(ACCOUNTS);
            int to = (from + random.nextInt(1, ACCOUNTS)) % ACCOUNTS;
            try (RemoteLocks locks = locker.getLocks(both(from, to), PATIENCE)) {
                move(account(bank, from), account(bank, to), random.nextInt(1, MOST_AT_ONCE));
                locks.ensureHeld();
            }
        }
        return null;
    }

    private MultiLockRequest both(int from, int to) {
        return switch (way) {
            case TOGETHER -> MultiLockRequest.of(List.of(account(bank, from), account(bank, to)));
            case PATHS ->
                MultiLockRequest.ofPaths(Map.of(path(from), LockMode.EXCLUSIVE, path(to), LockMode.EXCLUSIVE));
        };
    }

    private LockPath path(int number) {
        return LockPath.of(bank, account(bank, number));
    }

    private void move(String from, String to, long amount) throws IOException {
        accounts.write(from, accounts.read(from) - amount);
        accounts.write(to, accounts.read(to) + amount);
    }

    /** Reads all accounts while none of them changes. */
    private void audit() throws IOException {
        try (RemoteLocks whole =
                locker.getLocks(MultiLockRequest.ofPath(LockPath.of(bank)).mode(LockMode.PROTECTED_READ), PATIENCE)) {
            long sum = 0;
            for (int number = 0; number < ACCOUNTS; number++) {
                sum += accounts.read(account(bank, number));
            }
            if (sum != MONEY * ACCOUNTS && whole.isHeld()) {
                throw new IllegalStateException("An audit found " + sum + " in place of " + MONEY * ACCOUNTS);
            }
        }
    }
}
