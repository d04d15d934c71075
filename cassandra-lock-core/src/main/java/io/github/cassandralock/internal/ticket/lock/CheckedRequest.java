package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.LockDeadlockException;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.internal.deadlock.CheckedCall;
import io.github.cassandralock.internal.deadlock.CheckedQueue;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A request with an owner, as the search for deadlocks reads it (lock modes, section 7). */
record CheckedRequest(CheckedRequests checks, TicketRequest request, LockOwner owner) implements CheckedCall {

    @Override
    public long beganAt() {
        return request.arrivedAt();
    }

    @Override
    public CompletionStage<?> ended() {
        return request.getOutcome();
    }

    @Override
    public boolean isOfHolder() {
        return checks.deadlocks().owned().holdsAny(owner);
    }

    @Override
    public CheckedQueue queue() {
        return checks;
    }

    @Override
    public CompletionStage<Boolean> fail(Standing known, LockDeadlockException deadlock) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        checks.lock().partition().mailbox().execute(() -> {
            boolean same = checks.standing(request).filter(known::equals).isPresent();
            if (same) {
                request.fail(deadlock);
                checks.lock().cancel(request);
            }
            answer.complete(same);
        });
        return answer;
    }
}
