package io.github.cassandralock.exactlyonce.copy;

import io.github.cassandralock.exactlyonce.time.CalendarTime;
import io.github.cassandralock.exactlyonce.time.Pauser;
import io.github.cassandralock.exactlyonce.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/**
 * What copies take from the machine that they run on.
 *
 * @param calendar what time it is
 * @param pauser how their threads wait
 * @param threads makes their threads
 * @param keepAlive keeps the process alive from the start of a copy until it is closed
 * @param ticker measures how long steps and failures last
 * @param watch finds steps that take too long; if there is none, such steps are not reported
 */
public record CopyEnvironment(
        CalendarTime calendar,
        Pauser pauser,
        ThreadFactory threads,
        KeepAlive keepAlive,
        Ticker ticker,
        Optional<StepWatch> watch) {

    /**
     * An environment that does not keep the process alive, and has no watch. Its ticker is that of this machine.
     *
     * @param calendar what time it is
     * @param pauser how their threads wait
     * @param threads makes their threads
     */
    public CopyEnvironment(CalendarTime calendar, Pauser pauser, ThreadFactory threads) {
        this(calendar, pauser, threads, KeepAlive.none(), Ticker.system(), Optional.empty());
    }

    /**
     * The clocks of this machine, sleeping, and daemon threads, since a copy that is killed leaves nothing undone. The
     * process stays alive until the last copy is closed that was started with this environment, by a thread named
     * {@code exactly-once-keep-alive}. It stays alive also if a copy has failed and is not closed. Steps that take longer than a
     * minute are reported.
     */
    public static CopyEnvironment ofThisMachine() {
        return ofThisMachine(StepWatch.DEFAULT_LIMIT);
    }

    /**
     * As {@link #ofThisMachine()}, with another limit for steps.
     *
     * @param stepLimit steps that take longer are reported; 1 ms to 1 day
     * @return an environment for any number of copies
     * @throws IllegalArgumentException if the limit is out of its bounds
     */
    public static CopyEnvironment ofThisMachine(Duration stepLimit) {
        Ticker ticker = Ticker.system();
        return new CopyEnvironment(
                CalendarTime.system(),
                Pauser.ofThread(),
                body -> {
                    Thread thread = new Thread(body);
                    thread.setDaemon(true);
                    return thread;
                },
                KeepAlive.byThread("exactly-once-keep-alive"),
                ticker,
                Optional.of(new StepWatch(stepLimit, ticker)));
    }

    /** This environment with another way, or none, to keep the process alive. */
    public CopyEnvironment withKeepAlive(KeepAlive other) {
        return new CopyEnvironment(calendar, pauser, threads, other, ticker, watch);
    }
}
