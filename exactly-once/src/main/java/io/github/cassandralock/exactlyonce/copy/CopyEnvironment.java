package io.github.cassandralock.exactlyonce.copy;

import io.github.cassandralock.exactlyonce.time.CalendarTime;
import io.github.cassandralock.exactlyonce.time.Pauser;
import io.github.cassandralock.exactlyonce.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/**
 * What copies need from their machine.
 *
 * @param calendar the time of day
 * @param pauser how their threads wait
 * @param threads makes their threads
 * @param branches runs what a step does at the same time
 * @param keepAlive keeps the process alive from the start of a copy until it is closed
 * @param ticker measures how long steps and failures last
 * @param watch finds steps that take too long; without it they are not reported
 */
public record CopyEnvironment(
        CalendarTime calendar,
        Pauser pauser,
        ThreadFactory threads,
        Branches branches,
        KeepAlive keepAlive,
        Ticker ticker,
        Optional<StepWatch> watch) {

    /**
     * An environment without a watch, which does not keep the process alive. It uses the ticker of this machine.
     *
     * @param calendar the time of day
     * @param pauser how their threads wait
     * @param threads makes their threads
     */
    public CopyEnvironment(CalendarTime calendar, Pauser pauser, ThreadFactory threads) {
        this(
                calendar,
                pauser,
                threads,
                Branches.inThreads(threads),
                KeepAlive.none(),
                Ticker.system(),
                Optional.empty());
    }

    /**
     * The clocks of this machine, sleeping, and daemon threads, since a killed copy leaves nothing undone. A thread named {@code
     * exactly-once-keep-alive} keeps the process alive until all copies of this environment are closed, including failed ones.
     * Steps that take longer than a minute are reported.
     */
    public static CopyEnvironment ofThisMachine() {
        return ofThisMachine(StepWatch.DEFAULT_LIMIT);
    }

    /**
     * Returns {@link #ofThisMachine()} with another limit for steps.
     *
     * @param stepLimit longer steps are reported; 1 ms to 1 day
     * @return an environment for any number of copies
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    public static CopyEnvironment ofThisMachine(Duration stepLimit) {
        Ticker ticker = Ticker.system();
        ThreadFactory daemons = body -> {
            Thread thread = new Thread(body);
            thread.setDaemon(true);
            return thread;
        };
        return new CopyEnvironment(
                CalendarTime.system(),
                Pauser.ofThread(),
                daemons,
                Branches.inThreads(daemons),
                KeepAlive.byThread("exactly-once-keep-alive"),
                ticker,
                Optional.of(new StepWatch(stepLimit, ticker)));
    }

    /** This environment with another way to keep the process alive. */
    public CopyEnvironment withKeepAlive(KeepAlive other) {
        return new CopyEnvironment(calendar, pauser, threads, branches, other, ticker, watch);
    }
}
