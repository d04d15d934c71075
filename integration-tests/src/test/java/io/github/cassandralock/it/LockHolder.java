package io.github.cassandralock.it;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.processes.JvmProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A process of its own that takes a lock, says so, and says if it loses it; it holds it until its standard input ends or it is killed. */
final class LockHolder {

    static final String HELD = "HOLDER HOLDS THE LOCK";
    static final String LOST = "HOLDER LOST THE LOCK";
    static final String DONE = "HOLDER HAS DONE ITS WORK";

    /** What it does with the lock. It says when that is done. */
    enum Work {
        NOTHING(LockMode.EXCLUSIVE),
        CONVERT_TO_EXCLUSIVE(LockMode.PROTECTED_READ),
        SET_VALUE_TWICE(LockMode.EXCLUSIVE);

        private final LockMode mode;

        Work(LockMode mode) {
            this.mode = mode;
        }

        private void begin(RemoteLock lock) {
            switch (this) {
                case NOTHING -> done();
                case CONVERT_TO_EXCLUSIVE ->
                    lock.convertAsync(LockMode.EXCLUSIVE).thenRun(Work::done);
                case SET_VALUE_TWICE -> {
                    lock.writeValue("half".getBytes(StandardCharsets.UTF_8));
                    lock.writeValue("whole".getBytes(StandardCharsets.UTF_8));
                    done();
                }
            }
        }

        private static void done() {
            System.out.println(DONE);
        }
    }

    private LockHolder() {}

    /** Returns when a process holds the lock. */
    static JvmProcess start(String lockId, List<String> arguments) throws IOException {
        return start(lockId, Work.NOTHING, arguments);
    }

    /** Returns when a process holds the lock, and begins this work. */
    static JvmProcess start(String lockId, Work work, List<String> arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(lockId, work.name()));
        all.addAll(arguments);
        JvmProcess holder = JvmProcess.start(LockHolder.class, all);
        holder.awaitLine(HELD);
        return holder;
    }

    /** @param arguments the lock id, what to do under it, then the application's arguments */
    public static void main(String[] arguments) throws IOException {
        Work work = Work.valueOf(arguments[1]);
        List<String> rest = Arrays.asList(arguments).subList(2, arguments.length);
        LockRequest request = LockRequest.of(arguments[0]).mode(work.mode);
        try (Application application = Application.run(List.of(Application.Configuration.class), rest);
                RemoteLock lock = application.locker().getLock(request)) {
            lock.onLost(reason -> System.out.println(LOST + ", held: " + lock.isHeld()));
            System.out.println(HELD + " " + lock.getThreadId());
            work.begin(lock);
            while (System.in.read() >= 0) {
                // until the parent closes the pipe or dies
            }
        }
    }
}
