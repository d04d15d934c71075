package io.github.cassandralock.faults.cluster;

import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Gives the locks of an application a monotonic clock, and timers, of another rate. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnExpression("${" + ClockRate.VARIABLE + "} != 1.0")
public class ClockRate {

    /** The environment's variable with the rate. */
    static final String VARIABLE = "CLOCK_RATE";

    @Bean
    static ScheduledTimers timersOfTheMachine() {
        return new ScheduledTimers();
    }

    @Bean
    @Primary
    static Timers timersOfAnotherRate(ScheduledTimers machine) {
        double rate = Double.parseDouble(System.getenv(VARIABLE));
        long origin = System.nanoTime();
        return new RatedTimers(machine, rate, () -> Math.round((System.nanoTime() - origin) * rate));
    }

    private record RatedTimers(Timers machine, double rate, Ticker ticker) implements Timers {

        @Override
        public CompletableFuture<Void> after(Duration delay) {
            return machine.after(Duration.ofNanos(Math.round(TimeUnit.NANOSECONDS.convert(delay) / rate)));
        }

        @Override
        public boolean areOnThisThread() {
            return machine.areOnThisThread();
        }
    }
}
