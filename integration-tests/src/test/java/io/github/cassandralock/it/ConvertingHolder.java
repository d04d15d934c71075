package io.github.cassandralock.it;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.processes.JvmProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A process of its own that takes a lock as a reader, converts it to EXCLUSIVE, and says when it has done both; it holds it until its
 * standard input ends or it is killed.
 */
final class ConvertingHolder {

    static final String CONVERTED = "HOLDER HAS CONVERTED THE LOCK";
    private static final String HELD = "HOLDER READS";

    private ConvertingHolder() {}

    /** Returns when a process holds the lock as a reader, and begins to convert it. */
    static JvmProcess start(String lockId, List<String> arguments) throws IOException {
        List<String> all = new ArrayList<>(arguments);
        all.add(0, lockId);
        JvmProcess holder = JvmProcess.start(ConvertingHolder.class, all);
        holder.awaitLine(HELD);
        return holder;
    }

    /** @param arguments the lock id, then the application's arguments */
    public static void main(String[] arguments) throws IOException {
        List<String> rest = Arrays.asList(arguments).subList(1, arguments.length);
        LockRequest reading = LockRequest.of(arguments[0]).mode(LockMode.PROTECTED_READ);
        try (Application application = Application.run(List.of(Application.Configuration.class), rest);
                var lock = application.locker().getLock(reading)) {
            System.out.println(HELD);
            lock.convertAsync(LockMode.EXCLUSIVE).thenRun(() -> System.out.println(CONVERTED));
            while (System.in.read() >= 0) {
                // until the parent closes the pipe or dies
            }
        }
    }
}
