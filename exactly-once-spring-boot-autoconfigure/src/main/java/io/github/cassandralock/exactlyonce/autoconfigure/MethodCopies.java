package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.register.WriteIds;
import io.github.cassandralock.internal.exactlyonce.CopyLifecycle;
import io.github.cassandralock.internal.exactlyonce.Runner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

/** Runs the methods with {@code @ExactlyOnce}. They are found when all beans are made, so the order of beans does not matter. */
class MethodCopies implements SmartInitializingSingleton, SmartLifecycle, AutoCloseable {

    /** What runs the methods that were found. */
    record Found(List<Runner> runners, Duration shutdownTimeout) {}

    private final Supplier<Found> finding;
    private final AtomicReference<@Nullable CopyLifecycle> copies = new AtomicReference<>();

    /** @param finding called once, when all beans are made */
    MethodCopies(Supplier<Found> finding) {
        this.finding = finding;
    }

    @Override
    public void afterSingletonsInstantiated() {
        prepared();
    }

    /** What is run. All beans are made; called by the thread that starts the application. */
    List<Runner> prepared() {
        CopyLifecycle present = copies.get();
        if (present == null) {
            Found found = finding.get();
            present = new CopyLifecycle(found.runners(), WriteIds.ofNewProcess(), found.shutdownTimeout());
            copies.set(present);
        }
        return present.runners();
    }

    /** Everything that is run; empty before all beans are made. */
    List<Runner> runners() {
        return present().map(CopyLifecycle::runners).orElse(List.of());
    }

    private Optional<CopyLifecycle> present() {
        return Optional.ofNullable(copies.get());
    }

    @Override
    public int getPhase() {
        return CopyLifecycle.PHASE;
    }

    @Override
    public boolean isRunning() {
        return present().map(CopyLifecycle::isRunning).orElse(false);
    }

    @Override
    public void start() {
        present().filter(present -> !present.runners().isEmpty()).ifPresent(CopyLifecycle::start);
    }

    @Override
    public void stop() {
        present().ifPresent(CopyLifecycle::stop);
    }

    @Override
    public void close() {
        present().ifPresent(CopyLifecycle::close);
    }
}
