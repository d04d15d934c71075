package io.github.cassandralock.it;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.CassandraLockProperties;
import io.github.cassandralock.internal.assembly.LockTuning;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.processes.JvmProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A process of its own that takes and releases many locks, again and again, so that it keeps them, until it is killed. */
final class LockKeeper {

    private static final String KEPT = "KEEPER HAS TAKEN ALL LOCKS";
    private static final int PASSES_BEFORE = 3;

    private LockKeeper() {}

    /** Locks stay with the process for a third of the lease. */
    @Configuration(proxyBeanMethods = false)
    static class LongKeep {

        @Bean
        LockTuning longKeep(CassandraLockProperties properties) {
            return new LockTuning(properties.lease().dividedBy(3), LockTuning.USUAL.deadlocks());
        }
    }

    /** Returns when the process has taken all of these locks several times in a row. */
    static JvmProcess start(String prefix, int locks, List<String> arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(prefix, Integer.toString(locks)));
        all.addAll(arguments);
        JvmProcess keeper = JvmProcess.start(LockKeeper.class, all);
        keeper.awaitLine(KEPT);
        return keeper;
    }

    static List<String> lockIds(String prefix, int locks) {
        return IntStream.range(0, locks).mapToObj(lock -> prefix + ":" + lock).toList();
    }

    /** @param arguments the locks' prefix and number, then the application's arguments */
    public static void main(String[] arguments) throws InterruptedException {
        List<String> lockIds = lockIds(arguments[0], Integer.parseInt(arguments[1]));
        List<String> rest = Arrays.asList(arguments).subList(2, arguments.length);
        try (Application application =
                Application.run(List.of(LongKeep.class, Application.Configuration.class), rest)) {
            for (int pass = 1; true; pass++) {
                take(application.locker(), lockIds);
                if (pass == PASSES_BEFORE) {
                    System.out.println(KEPT);
                }
                TimeUnit.MILLISECONDS.sleep(pass < PASSES_BEFORE ? 0 : 300);
            }
        }
    }

    private static void take(RemoteLocker locker, List<String> lockIds) {
        CompletableFuture.allOf(lockIds.stream()
                        .map(lockId -> locker.getLockAsync(lockId).thenCompose(RemoteLock::closeAsync))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
    }
}
