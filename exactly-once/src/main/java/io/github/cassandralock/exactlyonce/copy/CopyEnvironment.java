package io.github.cassandralock.exactlyonce.copy;

import io.github.cassandralock.exactlyonce.time.CalendarTime;
import io.github.cassandralock.exactlyonce.time.Pauser;
import java.util.concurrent.ThreadFactory;

/**
 * What a copy takes from the machine that it runs on.
 *
 * @param calendar what time it is
 * @param pauser how its thread waits
 * @param threads makes its thread
 */
public record CopyEnvironment(CalendarTime calendar, Pauser pauser, ThreadFactory threads) {

    /** The calendar of this machine, sleeping, and daemon threads: a copy that is killed leaves nothing undone. */
    public static CopyEnvironment ofThisMachine() {
        return new CopyEnvironment(CalendarTime.system(), Pauser.ofThread(), body -> {
            Thread thread = new Thread(body);
            thread.setDaemon(true);
            return thread;
        });
    }
}
