package io.github.cassandralock.exactlyonce.copy;

import io.github.cassandralock.exactlyonce.time.CalendarTime;
import io.github.cassandralock.exactlyonce.time.Pauser;
import java.util.concurrent.ThreadFactory;

/**
 * What copies take from the machine that they run on.
 *
 * @param calendar what time it is
 * @param pauser how their threads wait
 * @param threads makes their threads
 * @param keepAlive keeps the process alive from the start of a copy until it is closed
 */
public record CopyEnvironment(CalendarTime calendar, Pauser pauser, ThreadFactory threads, KeepAlive keepAlive) {

    /** An environment that does not keep the process alive. */
    public CopyEnvironment(CalendarTime calendar, Pauser pauser, ThreadFactory threads) {
        this(calendar, pauser, threads, KeepAlive.none());
    }

    /**
     * The calendar of this machine, sleeping, and daemon threads, since a copy that is killed leaves nothing undone. The
     * process stays alive until the last copy is closed that was started with this environment, by a thread named
     * {@code exactly-once-keep-alive}. It stays alive also if a copy has failed and is not closed.
     */
    public static CopyEnvironment ofThisMachine() {
        return new CopyEnvironment(
                CalendarTime.system(),
                Pauser.ofThread(),
                body -> {
                    Thread thread = new Thread(body);
                    thread.setDaemon(true);
                    return thread;
                },
                KeepAlive.byThread("exactly-once-keep-alive"));
    }

    /** This environment with another way, or none, to keep the process alive. */
    public CopyEnvironment withKeepAlive(KeepAlive other) {
        return new CopyEnvironment(calendar, pauser, threads, other);
    }
}
