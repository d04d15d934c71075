package io.github.cassandralock.it;

import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.processes.JvmProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A process of its own that takes a lock, says so, and says if it loses it; it holds it until its standard input ends or it is killed. */
final class LockHolder {

    static final String HELD = "HOLDER HOLDS THE LOCK";
    static final String LOST = "HOLDER LOST THE LOCK";

    private LockHolder() {}

    /** Returns when a process holds the lock. */
    static JvmProcess start(String lockId, List<String> arguments) throws IOException {
        List<String> all = new ArrayList<>(arguments);
        all.add(0, lockId);
        JvmProcess holder = JvmProcess.start(LockHolder.class, all);
        holder.awaitLine(HELD);
        return holder;
    }

    /** @param arguments the lock id, then the application's arguments */
    public static void main(String[] arguments) throws IOException {
        List<String> rest = Arrays.asList(arguments).subList(1, arguments.length);
        try (Application application = Application.run(List.of(Application.Configuration.class), rest);
                var lock = application.locker().getLock(arguments[0])) {
            lock.onLost(reason -> System.out.println(LOST + ", held: " + lock.isHeld()));
            System.out.println(HELD + " " + lock.getThreadId());
            while (System.in.read() >= 0) {
                // until the parent closes the pipe or dies
            }
        }
    }
}
