package io.github.cassandralock.exactlyonce.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListenersTest {

    @Test
    void listenersAreToldInOrderThoughOneOfThemThrows() {
        List<String> told = new ArrayList<>();
        Listeners<Runnable> listeners = new Listeners<>(List.of(
                () -> told.add("first"),
                () -> {
                    throw new IllegalStateException("of a listener");
                },
                () -> {
                    throw new NoSuchMethodError("of a library that the listener calls");
                },
                () -> told.add("fourth")));
        listeners.tell(Runnable::run);
        assertThat(told).containsExactly("first", "fourth");
    }
}
