package io.github.cassandralock.internal.ticket.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The calls that are answered at the end of one event, and the writes that are tried before that. Used in the lock's mailbox
 * alone.
 */
final class EventAnswers {

    private final List<Runnable> answers = new ArrayList<>(1);
    private final List<CompletableFuture<?>> writes = new ArrayList<>(1);
    private boolean comeAfterReleases;

    void addAnswer(Runnable answer) {
        answers.add(answer);
    }

    void addWrite(CompletableFuture<?> tried) {
        writes.add(tried);
    }

    /**
     * From now on, the answers of this event come after the writes that release slots. With notices, they otherwise come before
     * these writes. To be called before slots are settled.
     */
    void setAfterReleases() {
        comeAfterReleases = true;
    }

    boolean comeAfterReleases() {
        return comeAfterReleases;
    }

    void give() {
        if (!answers.isEmpty()) {
            CompletableFuture.allOf(writes.toArray(CompletableFuture<?>[]::new))
                    .whenComplete((done, notWritten) -> answers.forEach(Runnable::run));
        }
    }
}
