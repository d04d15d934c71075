package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.register.WriteIds;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.context.SmartLifecycle;

/**
 * Gives the process a new name at each start of the application, before anything else starts. Spring stops and starts around a
 * checkpoint, which may be restored several times. A web server pushes messages as soon as it has started.
 */
public final class WriteIdsRenewal implements SmartLifecycle {

    private final WriteIds writeIds;
    private final AtomicBoolean running = new AtomicBoolean();

    public WriteIdsRenewal(WriteIds writeIds) {
        this.writeIds = writeIds;
    }

    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }

    @Override
    public void start() {
        if (!running.getAndSet(true)) {
            writeIds.renew();
        }
    }

    @Override
    public void stop() {
        running.set(false);
    }

    @Override
    public boolean isRunning() {
        return running.get();
    }
}
