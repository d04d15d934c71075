package io.github.cassandralock.faults.nemesis;

import io.github.cassandralock.faults.cluster.Fleet;
import io.github.cassandralock.faults.cluster.Nodes;
import io.github.cassandralock.faults.cluster.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Faults in an order, with their targets, that a seed determines: the same ones in every run. Not thread-safe. */
public final class FaultSchedule {

    static final int NODES = Nodes.COUNT;

    /** The longest of the workers' leases. */
    static final Duration LEASE = Fleet.LONGEST_LEASE;

    /** How many workers there are to be. */
    public static final int WORKERS = 3;

    /** Slots live for so long that servers may be two hours apart, see the protocol. */
    private static final int MOST_HOURS_BETWEEN_NODES = 2;

    private static final int MOST_HOURS_OF_A_WORKER = 12;
    private static final int MIXED = 4;
    private static final List<Integer> ALL_NODES = List.of(1, 2, 3);

    private final Random random;
    private final boolean clocks;
    private final int nodeHoursAhead;
    private final int workerWithAWrongClock;
    private final int workerHoursAhead;

    /** @param clocks whether clocks can be set wrong on this machine */
    public FaultSchedule(long seed, boolean clocks) {
        random = new Random(seed);
        this.clocks = clocks;
        nodeHoursAhead = hours(MOST_HOURS_BETWEEN_NODES);
        workerWithAWrongClock = worker();
        workerHoursAhead = hours(MOST_HOURS_OF_A_WORKER);
    }

    /** The wall clock of the second node, all the time. */
    public int nodeHoursAhead() {
        return nodeHoursAhead;
    }

    /** Which worker has a wrong wall clock from its start. */
    public int workerWithAWrongClock() {
        return workerWithAWrongClock;
    }

    /** How far its wall clock is ahead. */
    public int workerHoursAhead() {
        return workerHoursAhead;
    }

    /** What does not take long: all but a few kinds, each once, and some of them at once. */
    List<Fault> shortRound() {
        List<Fault> faults = new ArrayList<>(List.of(
                Fault.mixed(Fault.nodeKilled(node()), Fault.workerKilled(worker())),
                Fault.mixed(Fault.nodePaused(node()), Fault.workerKilled(worker())),
                Fault.allNodesPaused(),
                Fault.workerPaused(worker()),
                Fault.mixed(Fault.noticesCut(1), Fault.workerCut(2, ALL_NODES)),
                Fault.mixed(Fault.noticesCut(1), Fault.noticesCut(2)),
                Fault.noticesLate(workerWithNotices())));
        Collections.shuffle(faults, random);
        return faults;
    }

    /** Every kind alone, and some of them at once. */
    List<Fault> round() {
        List<Fault> faults = new ArrayList<>(List.of(
                Fault.nodeKilled(node()),
                Fault.nodePaused(node()),
                Fault.allNodesKilled(),
                Fault.allNodesPaused(),
                Fault.workerKilled(worker()),
                Fault.workerPaused(worker()),
                Fault.workerCut(worker(), ALL_NODES),
                Fault.workerCut(worker(), twoNodes()),
                Fault.noticesCut(workerWithNotices()),
                Fault.mixed(Fault.noticesCut(1), Fault.noticesCut(2)),
                Fault.noticesLate(workerWithNotices()),
                Fault.allWorkersKilled()));
        if (clocks) {
            faults.add(Fault.workerClock(worker(), hours(1 + random.nextInt(MOST_HOURS_OF_A_WORKER))));
        }
        for (int i = 0; i < MIXED; i++) {
            faults.add(mixed());
        }
        Collections.shuffle(faults, random);
        return faults;
    }

    /** Each worker is cut off and paused while it holds a lock, and wall clocks step by an hour in both directions. */
    public List<Fault> clockRound() {
        List<Fault> faults = new ArrayList<>();
        for (int worker = 1; worker <= WORKERS; worker++) {
            faults.add(Fault.workerCut(worker, ALL_NODES));
            faults.add(Fault.workerPaused(worker));
        }
        if (clocks) {
            faults.add(Fault.workerClockSteps(worker(), 1));
            faults.add(Fault.workerClockSteps(worker(), -1));
            faults.add(Fault.nodeClockSteps(1));
            faults.add(Fault.nodeClockSteps(-1));
        }
        Collections.shuffle(faults, random);
        return faults;
    }

    private Fault mixed() {
        while (true) {
            Fault one = smallOne();
            Fault other = smallOne();
            if (Fault.mayBeMixed(one, other)) {
                return Fault.mixed(one, other);
            }
        }
    }

    private Fault smallOne() {
        List<Fault> all = Stream.of(
                        Fault.nodeKilled(node()),
                        Fault.nodePaused(node()),
                        Fault.workerKilled(worker()),
                        Fault.workerPaused(worker()),
                        Fault.workerCut(worker(), twoNodes()),
                        Fault.workerCut(worker(), ALL_NODES),
                        Fault.noticesCut(workerWithNotices()),
                        Fault.noticesLate(workerWithNotices()))
                .toList();
        return all.get(random.nextInt(all.size()));
    }

    /** So many, one way or the other; none where clocks cannot be set. */
    private int hours(int number) {
        int hours = random.nextBoolean() ? number : -number;
        return clocks ? hours : 0;
    }

    private int node() {
        return 1 + random.nextInt(NODES);
    }

    private int worker() {
        return 1 + random.nextInt(WORKERS);
    }

    private int workerWithNotices() {
        return 1 + random.nextInt(Worker.WITH_NOTICES);
    }

    private List<Integer> twoNodes() {
        int spared = node();
        return ALL_NODES.stream().filter(number -> number != spared).toList();
    }
}
