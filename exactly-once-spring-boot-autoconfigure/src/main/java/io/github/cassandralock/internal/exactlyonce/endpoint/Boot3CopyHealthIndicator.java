package io.github.cassandralock.internal.exactlyonce.endpoint;

import io.github.cassandralock.internal.exactlyonce.CopyReport;
import java.util.function.Supplier;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** Reports the state of the copies of handlers, sinks and pumps. Implements the interface of Spring Boot 3. */
public final class Boot3CopyHealthIndicator implements HealthIndicator {

    private final Supplier<CopyReport> reports;

    public Boot3CopyHealthIndicator(Supplier<CopyReport> reports) {
        this.reports = reports;
    }

    @Override
    public Health health() {
        CopyReport report = reports.get();
        return Health.status(report.status().name())
                .withDetails(report.details())
                .build();
    }
}
