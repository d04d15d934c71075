package io.github.cassandralock.internal.metrics;

import io.github.cassandralock.internal.exactlyonce.Counted;
import io.github.cassandralock.internal.exactlyonce.LagSampler;
import io.github.cassandralock.internal.exactlyonce.Runner;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;

/**
 * What this application's copies of handlers, sinks, pumps and methods count, and how far behind they are. Reading a meter does
 * no I/O.
 */
public record CopyMeters(List<Runner> runners, LagSampler lags) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        runners.forEach(runner -> bind(registry, runner));
    }

    private void bind(MeterRegistry registry, Runner runner) {
        Tags tags = Tags.of("kind", runner.kind().text(), "name", runner.name());
        Gauge.builder("exactly.once.running", runner, each -> each.isRunning() ? 1 : 0)
                .description("Copies that work now")
                .tags(tags)
                .register(registry);
        for (String queue : runner.inputs()) {
            Gauge.builder(
                            "exactly.once.lag",
                            lags,
                            sampler -> sampler.lag(runner, queue)
                                    .map(Long::doubleValue)
                                    .orElse(Double.NaN))
                    .description("Messages that the copies have not taken yet")
                    .tags(tags.and("queue", queue))
                    .register(registry);
        }
        counter(registry, runner, tags, Counted.MESSAGE, "messages", "Messages that steps took, and that pumps pushed");
        counter(
                registry,
                runner,
                tags,
                Counted.FAILURE,
                "failures",
                "Functions that threw, transactions that failed, outboxes that did not answer");
        counter(registry, runner, tags, Counted.OVERDUE, "steps.overdue", "Reports of steps that take too long");
        if (runner.kind() == Runner.Kind.PUMP) {
            return;
        }
        counter(registry, runner, tags, Counted.STEP, "steps", "Steps that copies of this application decided");
        if (runner.kind() == Runner.Kind.METHOD) {
            return;
        }
        counter(registry, runner, tags, Counted.REFUSED, "steps.refused", "Steps for which another copy was faster");
        if (runner.kind() == Runner.Kind.HANDLER) {
            Gauge.builder(
                            "exactly.once.all.failing",
                            runner,
                            each -> each.figures().allFail().isPresent() ? 1 : 0)
                    .description("1 if the function fails with all messages that were tried, so that none is parked")
                    .tags(tags)
                    .register(registry);
        }
        counter(registry, runner, tags, Counted.PARKED, "parked", "Messages that were parked");
        counter(
                registry,
                runner,
                tags,
                Counted.VIOLATION,
                "violations",
                "Messages that do not follow the one before of their producer");
    }

    private static void counter(
            MeterRegistry registry, Runner runner, Tags tags, Counted what, String name, String description) {
        FunctionCounter.builder(
                        "exactly.once." + name, runner, each -> each.figures().sum(what))
                .description(description)
                .tags(tags)
                .register(registry);
    }
}
