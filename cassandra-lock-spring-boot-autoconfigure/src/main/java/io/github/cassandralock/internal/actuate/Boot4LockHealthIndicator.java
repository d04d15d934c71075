package io.github.cassandralock.internal.actuate;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Reports UP if a lock can be acquired. Implements the interface of Spring Boot 4. */
public final class Boot4LockHealthIndicator implements HealthIndicator {

    private final LockProbe probe;

    public Boot4LockHealthIndicator(LockProbe probe) {
        this.probe = probe;
    }

    @Override
    public Health health() {
        RuntimeException problem = probe.problem();
        Health.Builder health = problem == null ? Health.up() : Health.down(problem);
        return health.withDetails(probe.details()).build();
    }
}
