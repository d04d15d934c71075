package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.table.MessageTable;
import io.github.cassandralock.exactlyonce.table.TableCopy;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Makes runners of methods with {@code @ExactlyOnce}.
 *
 * @param copyName the name of this application's copies, for the names of their threads
 * @param idle pauses while there is nothing to do
 * @param retry pauses after a failure
 * @param environment of all copies; its watch reports steps that take too long
 */
public record MethodRunners(String copyName, GrowingPauses idle, GrowingPauses retry, CopyEnvironment environment) {

    /** A longer lag is shown as this number, because each look counts rows. */
    private static final int MOST_COUNTED = 100_000;

    /**
     * Runs a method.
     *
     * @param queue from which it takes messages
     * @param maxMessages of one transaction
     * @param opening opens the messages; called by the thread of the copy, again after a pause if it throws {@link
     *     io.github.cassandralock.exactlyonce.register.RegisterUnavailableException}
     */
    public Runner of(String queue, int maxMessages, Supplier<? extends MessageTable> opening) {
        return new Runner(Runner.Kind.METHOD, queue, List.of(queue), figures -> {
            OpenedTable table = new OpenedTable(opening);
            TableCopy copy =
                    new TableCopy(queue, table, maxMessages, idle, retry, copyName, List.of(figures), environment);
            return new Runner.Run(copy, Map::of, input -> table.readLag(MOST_COUNTED));
        });
    }
}
