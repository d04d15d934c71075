package io.github.cassandralock.exactlyonce.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Passes a baton from thread to thread: the one that has it runs, until its next request or pause. All decisions come from one
 * random generator, so a seed repeats everything.
 */
final class Scheduler {

    /** Thrown out of a request: the process is dead. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1L;

        Crash() {
            super("killed", null, false, false);
        }
    }

    /** A simulated thread. */
    static final class Actor {
        final String name;
        private final Thread thread;
        private final List<Actor> branches = new ArrayList<>();
        private long wakeAt;
        private boolean frozen;
        private boolean killed;
        private boolean ended;

        private Actor(String name, Thread thread) {
            this.name = name;
            this.thread = thread;
        }

        boolean hasEnded() {
            return ended;
        }

        boolean isFrozen() {
            return frozen;
        }

        void freeze() {
            frozen = true;
            branches.forEach(Actor::freeze);
        }

        void thaw() {
            frozen = false;
            branches.forEach(Actor::thaw);
        }

        void kill() {
            killed = true;
            frozen = false;
            wakeAt = 0;
            branches.forEach(Actor::kill);
        }

        /** Stands still until a step. */
        void sleepUntil(long step) {
            wakeAt = Math.max(wakeAt, step);
            branches.forEach(branch -> branch.sleepUntil(step));
        }

        /** So that it sees an interrupt. */
        void wake() {
            frozen = false;
            wakeAt = 0;
            branches.forEach(Actor::wake);
        }
    }

    private final SplittableRandom random;
    private final double switches;
    private final Runnable tick;
    private final List<Actor> actors = new ArrayList<>();
    private volatile @Nullable Actor turn;
    private volatile @Nullable Thread main;
    private volatile boolean over;
    private long step;

    /**
     * @param switches how often another thread goes on at a request
     * @param tick called at each request, by whichever thread has the baton; may change actors
     */
    Scheduler(SplittableRandom random, double switches, Runnable tick) {
        this.random = random;
        this.switches = switches;
        this.tick = tick;
    }

    long step() {
        return step;
    }

    Actor current() {
        Actor current = turn;
        if (current == null) {
            throw new IllegalStateException("Nobody has the baton");
        }
        return current;
    }

    /** Threads that wait for the baton when they are started. */
    ThreadFactory threads(String name, List<Actor> created) {
        return body -> {
            Actor[] actor = new Actor[1];
            Thread thread = new Thread(() -> {
                try {
                    awaitTurn(actor[0]);
                    body.run();
                } catch (Crash e) {
                    // It was killed before it began.
                } finally {
                    end(actor[0]);
                }
            });
            thread.setDaemon(true);
            actor[0] = new Actor(name, thread);
            created.add(actor[0]);
            actors.add(actor[0]);
            return thread;
        };
    }

    /** Starts the first actor and waits until the world is over and all threads have ended. */
    void run() {
        main = Thread.currentThread();
        handOver(actors.get(0));
        while (!over) {
            LockSupport.park(this);
        }
        for (Actor actor : actors) {
            while (actor.thread.isAlive()) {
                turn = actor;
                LockSupport.unpark(actor.thread);
                try {
                    actor.thread.join(1);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    /** Ends the world: every thread ends at its next request. */
    void finish() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    /** A request: perhaps others go on before it takes effect. */
    void pass() throws InterruptedException {
        Actor me = current();
        proceed(me, random.nextDouble() < switches);
    }

    /** A pause of some requests of others. */
    void pause(int longest) throws InterruptedException {
        Actor me = current();
        me.wakeAt = step + 1 + random.nextInt(longest);
        proceed(me, true);
    }

    /** Runs tasks in threads of their own until all have ended. They are interrupted, stopped and killed with the calling one. */
    void runTogether(List<Callable<?>> tasks) throws Exception {
        Actor me = current();
        List<FutureTask<?>> running =
                tasks.stream().<FutureTask<?>>map(FutureTask::new).toList();
        ThreadFactory threads = threads(me.name + "-branch", me.branches);
        running.forEach(task -> threads.newThread(task).start());
        boolean interrupted = false;
        while (!me.branches.stream().allMatch(Actor::hasEnded)) {
            try {
                pause(2);
            } catch (InterruptedException e) {
                interrupted = true;
                me.branches.forEach(branch -> branch.thread.interrupt());
                me.branches.forEach(Actor::wake);
            }
        }
        actors.removeAll(me.branches);
        me.branches.clear();
        if (interrupted) {
            throw new InterruptedException();
        }
        for (FutureTask<?> task : running) {
            failureOf(task);
        }
    }

    private static void failureOf(FutureTask<?> task) throws Exception {
        try {
            task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (Exception) e.getCause();
        }
    }

    private void proceed(Actor me, boolean mayPass) throws InterruptedException {
        step++;
        tick.run();
        if (!over && (mayPass || me.frozen || me.wakeAt > step)) {
            Actor next = choose();
            if (next != me) {
                handOver(next);
                awaitTurn(me);
            }
        }
        if (over) {
            LockSupport.unpark(main);
            throw new Crash();
        }
        if (me.killed) {
            throw new Crash();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private Actor choose() {
        while (true) {
            Actor chosen = null;
            int ready = 0;
            long nearest = Long.MAX_VALUE;
            for (Actor actor : actors) {
                if (!actor.ended && !actor.frozen) {
                    if (actor.wakeAt <= step) {
                        ready++;
                        if (random.nextInt(ready) == 0) {
                            chosen = actor;
                        }
                    } else {
                        nearest = Math.min(nearest, actor.wakeAt);
                    }
                }
            }
            if (chosen != null) {
                return chosen;
            }
            if (nearest == Long.MAX_VALUE) {
                over = true;
                return current();
            }
            step = nearest;
        }
    }

    private void handOver(Actor next) {
        turn = next;
        LockSupport.unpark(next.thread);
    }

    private void awaitTurn(Actor me) {
        while (turn != me) {
            LockSupport.park(this);
        }
        if (over || me.killed) {
            throw new Crash();
        }
    }

    /** The thread ends: another one goes on. */
    private void end(Actor me) {
        me.ended = true;
        if (!over) {
            step++;
            tick.run();
            Actor next = choose();
            if (!over) {
                handOver(next);
                return;
            }
        }
        LockSupport.unpark(main);
    }
}
