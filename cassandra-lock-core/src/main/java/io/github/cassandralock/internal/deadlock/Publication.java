package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.store.PublishedHold;
import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.WaitingCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * The waits that a process publishes within the bounds. Waits come first whose owners hold locks for which a call waits, because
 * a cycle is only found with them. The longest waits follow. Immutable.
 *
 * @param waits the published waits, each within a constant size
 * @param cut how many waits are left out, or name only some of the locks that their owners hold
 */
record Publication(List<PublishedWait> waits, int cut) {

    private static final int LONGEST_OWNER = 100;

    /** Bytes of the numbers of a wait, and of a held lock. */
    private static final int BYTES_OF_NUMBERS = 60;

    private static final int BYTES_OF_HELD = 16;
    private static final int LAST_OF_ONE_BYTE = 0x7f;
    private static final int MOST_BYTES_OF_CHAR = 3;

    /**
     * @param own the waits of the process, the longest waits first
     * @param wanted the locks for which a call waits
     */
    static Publication of(List<PublishedWait> own, Set<String> wanted, DeadlockBounds bounds) {
        List<PublishedWait> published = new ArrayList<>();
        int left = bounds.bytes();
        int cut = 0;
        for (PublishedWait wait : wantedFirst(own, wanted)) {
            WaitingCall shortened = shortened(wait.call(), wanted, bounds.locksOfOneOwner());
            int bytes = bytes(shortened);
            boolean fits = bytes <= left;
            if (fits) {
                left -= bytes;
                published.add(new PublishedWait(wait.id(), wait.changed(), shortened));
            }
            if (!fits || shortened.held().size() < wait.call().held().size()) {
                cut++;
            }
        }
        return new Publication(List.copyOf(published), cut);
    }

    private static List<PublishedWait> wantedFirst(List<PublishedWait> own, Set<String> wanted) {
        return own.stream()
                .sorted(Comparator.comparing(
                        wait -> wait.call().held().stream().noneMatch(held -> wanted.contains(held.lockId()))))
                .toList();
    }

    private static WaitingCall shortened(WaitingCall call, Set<String> wanted, int most) {
        List<PublishedHold> held = call.held().size() <= most
                ? call.held()
                : call.held().stream()
                        .sorted(Comparator.comparing(lock -> !wanted.contains(lock.lockId())))
                        .limit(most)
                        .toList();
        String owner = call.owner();
        return call.shortened(owner.length() <= LONGEST_OWNER ? owner : owner.substring(0, LONGEST_OWNER), held);
    }

    private static int bytes(WaitingCall call) {
        return BYTES_OF_NUMBERS
                + bytes(call.owner())
                + bytes(call.lockId())
                + call.held().stream()
                        .mapToInt(held -> BYTES_OF_HELD + bytes(held.lockId()))
                        .sum();
    }

    private static int bytes(String text) {
        return text.chars()
                .map(letter -> letter <= LAST_OF_ONE_BYTE ? 1 : MOST_BYTES_OF_CHAR)
                .sum();
    }
}
