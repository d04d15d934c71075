package io.github.cassandralock.internal.exactlyonce.endpoint;

import io.github.cassandralock.internal.exactlyonce.CopyReport;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Reports the state of the copies of handlers, sinks and pumps. Implements the interface of Spring Boot 4. */
public final class Boot4CopyHealthIndicator implements HealthIndicator {

    private final Supplier<CopyReport> reports;

    public Boot4CopyHealthIndicator(Supplier<CopyReport> reports) {
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
