package io.github.cassandralock.internal.ticket.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Who is answered when one event is at its end, and the writes that have to be tried before. Used in the lock's mailbox alone. */
final class EventAnswers {

    private final List<Runnable> answers = new ArrayList<>(1);
    private final List<CompletableFuture<?>> writes = new ArrayList<>(1);

    void add(Runnable answer) {
        answers.add(answer);
    }

    void after(CompletableFuture<?> tried) {
        writes.add(tried);
    }

    void give() {
        if (!answers.isEmpty()) {
            CompletableFuture.allOf(writes.toArray(CompletableFuture<?>[]::new))
                    .whenComplete((done, notWritten) -> answers.forEach(Runnable::run));
        }
    }
}
