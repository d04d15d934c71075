package io.github.cassandralock.internal.majority;

import java.util.ArrayList;
import java.util.List;

/** The parts that an attempt has so far. Only tasks of the attempt's mailbox use it. */
final class Holding {

    private final List<Part> parts = new ArrayList<>();

    void add(Part part) {
        parts.add(part);
    }

    List<Part> parts() {
        return List.copyOf(parts);
    }

    /** Whether the lock is held validly in this cluster. */
    boolean has(ClusterWatch cluster) {
        return parts.stream().anyMatch(part -> part.cluster() == cluster && part.isValid());
    }

    /** Releases parts that are no longer valid. */
    void dropLostParts() {
        List<Part> lost = parts.stream().filter(part -> !part.isValid()).toList();
        parts.removeAll(lost);
        giveBack(lost);
    }

    /** Releases all parts. */
    void giveBack() {
        List<Part> all = parts();
        parts.clear();
        giveBack(all);
    }

    /**
     * Releases the highest cluster first, so that the next holder of the lowest part finds the others free. Continues in the
     * background.
     */
    static void giveBack(List<Part> parts) {
        for (int last = parts.size() - 1; last >= 0; last--) {
            parts.get(last).grant().release();
        }
    }

    /** Tests each part once. A part that is valid now has been held all the time since the first test began. */
    static boolean isMajority(List<Part> parts, Clusters clusters) {
        return parts.stream().filter(Part::isValid).count() >= clusters.majority();
    }
}
