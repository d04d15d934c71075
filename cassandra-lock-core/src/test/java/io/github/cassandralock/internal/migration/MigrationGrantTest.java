package io.github.cassandralock.internal.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.spi.Grant;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A lock of two algorithms. */
class MigrationGrantTest {

    private final List<String> calls = new ArrayList<>();

    private Grant half(String name) {
        return (Grant) Proxy.newProxyInstance(
                Grant.class.getClassLoader(), new Class<?>[] {Grant.class}, (proxy, method, arguments) -> {
                    calls.add(name + " " + method.getName());
                    return method.getReturnType() == void.class ? null : new CompletableFuture<>();
                });
    }

    @Test
    void bothHalvesReceiveThatTheHolderHasFinished() {
        Grant both = new MigrationGrant(half("old"), half("new"), MigrationTokens.NONE);
        calls.clear();
        both.markFinished();
        assertThat(calls).containsExactlyInAnyOrder("old markFinished", "new markFinished");
    }
}
