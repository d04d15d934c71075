package io.github.cassandralock.internal.driver;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.context.NettyOptions;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.TimerThreads;
import io.github.cassandralock.internal.time.Timers;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of the driver, which deliver the answers of Cassandra. They are recognised by the class of thread that the driver
 * uses. Of the sessions of the locks, every event loop is watched. A blocked event loop can renew no lock, and a warning is logged.
 * Thread-safe.
 */
public final class DriverThreads {

    /*
     * Netty is on the class path, or inside the driver under other names, so its types are not named here. Its event loops are
     * executors, in a group that can be iterated. A group that shuts down gets no task. Each task would restart its quiet period,
     * and the session would not be closed before its time-out.
     */

    private static final Logger log = LoggerFactory.getLogger(DriverThreads.class);
    private static final String DRIVER = "com.datastax.oss.driver.";
    private static final String NOTICES = "-notices";
    private static final List<String> GROUPS = List.of("ioEventLoopGroup", "adminEventExecutorGroup");

    /** An event loop counts as blocked when so many looks find the same task. A pause of the process costs one look. */
    private static final int LOOKS = 2;

    private final Timers timers;
    private final Duration interval;
    private final RepeatedWarning blocked;
    private final Set<EventLoop> loops = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();

    /**
     * @param timers work until the application has ended
     * @param lease a small part of it is the longest time for which an event loop may be blocked without a warning
     */
    public DriverThreads(Timers timers, Duration lease) {
        this.timers = timers;
        this.interval = lease.dividedBy(6);
        this.blocked = new RepeatedWarning(log, timers);
    }

    /** Returns why the calling thread must not wait, to complete the sentence "it is …"; empty if it may wait. Does not block. */
    public Optional<String> dutyOfThisThread() {
        Thread thread = Thread.currentThread();
        if (isOfDriver(thread)) {
            return Optional.of("a thread of the Cassandra driver");
        }
        return thread.getName().startsWith(TimerThreads.PREFIX)
                        && thread.getName().endsWith(NOTICES)
                ? Optional.of("the thread of notices")
                : Optional.empty();
    }

    private boolean isOfDriver(Thread thread) {
        if (thread.getClass() != Thread.class && thread.getClass().getName().startsWith(DRIVER)) {
            return true;
        }
        for (EventLoop loop : loops) {
            if (loop.thread == thread) {
                return true;
            }
        }
        return false;
    }

    /** Watches the event loops of a session of the locks, until the session is closed. Does not block. */
    public void watch(CqlSession session) {
        if (session.getContext() instanceof InternalDriverContext context) {
            for (String group : GROUPS) {
                loops.addAll(eventLoops(context.getNettyOptions(), group));
            }
        }
        if (!loops.isEmpty() && looking.compareAndSet(false, true)) {
            look();
        }
    }

    private static List<EventLoop> eventLoops(NettyOptions options, String name) {
        List<EventLoop> found = new ArrayList<>();
        try {
            Method getter = NettyOptions.class.getMethod(name);
            Method isShuttingDown = getter.getReturnType().getMethod("isShuttingDown");
            if (getter.invoke(options) instanceof Iterable<?> group) {
                group.forEach(executor -> found.add(new EventLoop((Executor) executor, isShuttingDown)));
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            log.debug("The event loops of the driver are not watched: {} cannot be read", name, e);
        }
        return found;
    }

    private void look() {
        loops.forEach(this::look);
        timers.afterOrFailed(interval).thenRun(this::look);
    }

    private void look(EventLoop loop) {
        if (loop.isShuttingDown()) {
            loops.remove(loop);
            return;
        }
        if (!loop.hasRun()) {
            loop.missed++;
            Thread thread = loop.thread;
            if (loop.missed == LOOKS && thread != null) {
                warn(thread);
            }
            return;
        }
        loop.missed = 0;
        try {
            loop.ask();
        } catch (RejectedExecutionException closed) {
            loops.remove(loop);
        }
    }

    private void warn(Thread thread) {
        Throwable stack = new Throwable("what the thread does");
        stack.setStackTrace(thread.getStackTrace());
        blocked.warn(
                "Thread '" + thread.getName() + "' of the Cassandra driver has been blocked for at least "
                        + DurationText.of(interval)
                        + " by what its stack shows. While it is, it delivers no answer, and locks"
                        + " cannot be renewed: the process may lose all of them. Code that follows a request must not block; run"
                        + " it on a thread of your own, for example by thenAcceptAsync(…, executor)",
                stack);
    }

    /** One thread of the driver with its queue of tasks. Equal if the executor is the same. */
    private static final class EventLoop {

        private final Executor executor;
        private final Method isShuttingDown;
        private volatile boolean asked;
        private volatile @Nullable Thread thread;

        /** The number of looks that found the same task. Used by one look at a time. */
        private int missed;

        EventLoop(Executor executor, Method isShuttingDown) {
            this.executor = executor;
            this.isShuttingDown = isShuttingDown;
        }

        boolean isShuttingDown() {
            try {
                return Boolean.TRUE.equals(isShuttingDown.invoke(executor));
            } catch (ReflectiveOperationException e) {
                return true;
            }
        }

        boolean hasRun() {
            return !asked;
        }

        void ask() {
            asked = true;
            executor.execute(() -> {
                thread = Thread.currentThread();
                asked = false;
            });
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof EventLoop loop && loop.executor == executor;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(executor);
        }
    }
}
