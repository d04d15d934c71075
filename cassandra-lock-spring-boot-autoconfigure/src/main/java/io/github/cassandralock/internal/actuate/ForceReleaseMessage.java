package io.github.cassandralock.internal.actuate;

import io.github.cassandralock.inspect.QueueEntry;
import io.github.cassandralock.internal.inspect.ForceReleaseOutcome;
import java.util.List;
import java.util.stream.Collectors;

/** The answer to an operator who has force-released a lock: what happened to each holder, and how to proceed. */
final class ForceReleaseMessage {

    /** The most processes that are named. */
    private static final int NAMED = 10;

    private ForceReleaseMessage() {}

    static String of(String lockId, ForceReleaseOutcome.Begun begun) {
        StringBuilder text = new StringBuilder();
        if (!begun.told().isEmpty()) {
            text.append("Lock '")
                    .append(lockId)
                    .append("' is force-released in this process (")
                    .append(names(begun.told()))
                    .append("): its threads are notified that they have lost the lock. ");
        }
        if (!begun.asked().isEmpty()) {
            text.append(asked(lockId, begun));
        }
        text.append(next(begun))
                .append(" A holder's work that does not stop goes on beside the work of the next holders. The protected"
                        + " resource has to check fencing tokens: the next holder gets a higher one.");
        return text.toString();
    }

    private static String next(ForceReleaseOutcome.Begun begun) {
        return begun.others() == 0
                ? "The next in the queue get the lock then."
                : "There are " + begun.others()
                        + " more holders, which keep the lock; force-release it again, without naming a session,"
                        + " if these are to lose it, too.";
    }

    private static String asked(String lockId, ForceReleaseOutcome.Begun begun) {
        boolean one = begun.asked().size() == 1;
        return (one
                        ? "The process of the holder"
                        : "The processes of " + begun.asked().size() + " holders") + " of lock '"
                + lockId + "', " + names(begun.asked()) + ", " + (one ? "was" : "were")
                + " sent a request to give it up, and " + (one ? "reads" : "read") + " it within " + seconds(begun)
                + " s. A process that still has the lock after that is paused, cannot reach Cassandra, has ended, or"
                + " lacks 'cassandra-lock.force-release.enabled'. If it runs, end it. A call that waits then gets the"
                + " lock after one and a half leases at most. ";
    }

    private static String names(List<QueueEntry> holders) {
        List<String> names =
                holders.stream().map(holder -> holder.owner().text()).distinct().toList();
        String first = names.stream().limit(NAMED).collect(Collectors.joining(", "));
        return names.size() > NAMED ? first + " and " + (names.size() - NAMED) + " more" : first;
    }

    private static long seconds(ForceReleaseOutcome.Begun begun) {
        return Math.max(1, (begun.within().toMillis() + 999) / 1_000);
    }
}
