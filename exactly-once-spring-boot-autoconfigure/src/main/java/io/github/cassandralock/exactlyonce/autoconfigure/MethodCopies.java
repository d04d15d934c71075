package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.internal.exactlyonce.CopyLifecycle;
import io.github.cassandralock.internal.exactlyonce.Runner;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

/** Runs the methods with {@code @ExactlyOnce}. They are found when all beans are made, so the order of beans does not matter. */
class MethodCopies implements SmartInitializingSingleton, SmartLifecycle, AutoCloseable {

    private final Supplier<CopyLifecycle> finding;
    private volatile Optional<CopyLifecycle> found = Optional.empty();

    /** @param finding called once, when all beans are made */
    MethodCopies(Supplier<CopyLifecycle> finding) {
        this.finding = finding;
    }

    @Override
    public void afterSingletonsInstantiated() {
        prepared();
    }

    /** What is run. All beans are made; called by the thread that starts the application. */
    List<Runner> prepared() {
        if (found.isEmpty()) {
            found = Optional.of(finding.get());
        }
        return runners();
    }

    /** Everything that is run; empty before all beans are made. */
    List<Runner> runners() {
        return found.map(CopyLifecycle::runners).orElse(List.of());
    }

    @Override
    public int getPhase() {
        return CopyLifecycle.PHASE;
    }

    @Override
    public boolean isRunning() {
        return found.map(CopyLifecycle::isRunning).orElse(false);
    }

    @Override
    public void start() {
        found.filter(copies -> !copies.runners().isEmpty()).ifPresent(CopyLifecycle::start);
    }

    @Override
    public void stop() {
        found.ifPresent(CopyLifecycle::stop);
    }

    @Override
    public void close() {
        found.ifPresent(CopyLifecycle::close);
    }
}
