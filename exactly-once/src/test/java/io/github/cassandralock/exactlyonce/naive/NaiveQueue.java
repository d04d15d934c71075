package io.github.cassandralock.exactlyonce.naive;

import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;
import io.github.cassandralock.exactlyonce.register.WriteId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A queue whose messages have no ids: values are compared, and refusals are believed. */
final class NaiveQueue {

    private final String name;
    private final RegisterStore store;
    private long writes;

    NaiveQueue(String name, RegisterStore store) {
        this.name = name;
        this.store = store;
    }

    Optional<String> get(long index) throws InterruptedException {
        byte[] value = store.read("queue/" + name + "/cells/" + index).getValue();
        return value.length == 0 ? Optional.empty() : Optional.of(new String(value, StandardCharsets.UTF_8));
    }

    long nextIndex() throws InterruptedException {
        long index = 0;
        while (get(index).isPresent()) {
            index++;
        }
        return index;
    }

    /** Repeated until it is answered, which "may be done, since it is idempotent". */
    boolean pushAt(long index, String value) throws InterruptedException {
        while (true) {
            try {
                CompareAndSetAnswer answer = store.compareAndSet(
                        "queue/" + name + "/cells/" + index,
                        0,
                        value.getBytes(StandardCharsets.UTF_8),
                        new WriteId(new UUID(0, 0), writes++));
                return answer instanceof CompareAndSetAnswer.Applied;
            } catch (UnknownOutcomeException e) {
                // Once more.
            }
        }
    }

    boolean pushAtIdempotent(long index, String value) throws InterruptedException {
        return pushAt(index, value) || get(index).equals(Optional.of(value));
    }

    void push(String value) throws InterruptedException {
        while (!pushAt(nextIndex(), value)) {
            // The next index.
        }
    }

    void pushIdempotent(String value) throws InterruptedException {
        long index = nextIndex();
        while (!pushAtIdempotent(index, value)) {
            index++;
        }
    }

    List<String> contents() throws InterruptedException {
        List<String> contents = new ArrayList<>();
        for (long index = 0; get(index).isPresent(); index++) {
            contents.add(get(index).orElseThrow());
        }
        return contents;
    }
}
