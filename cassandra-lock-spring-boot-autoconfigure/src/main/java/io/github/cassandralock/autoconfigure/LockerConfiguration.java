package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.locker.AlgorithmLocker;
import io.github.cassandralock.locker.ProcessName;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.Ticker;
import io.github.cassandralock.spi.WallClock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** The locker and what it stands on. Backs off as a whole if the application has a {@link RemoteLocker} of its own. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(CassandraOperations.class)
@ConditionalOnMissingBean(RemoteLocker.class)
class LockerConfiguration {

    static final String SCHEDULER = "cassandraLockTaskScheduler";

    /**
     * A scheduler of its own, so that a job that blocks the application's scheduler cannot starve renewals; not a default
     * candidate, so that Spring Boot's own scheduler does not back off. It works until the locker is closed, which is
     * after everything that may hold a lock.
     */
    @Bean(name = SCHEDULER, defaultCandidate = false)
    @ConditionalOnMissingBean(name = SCHEDULER)
    ThreadPoolTaskScheduler cassandraLockTaskScheduler() {
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        scheduler.setPoolSize(2);
        scheduler.setThreadNamePrefix("cassandra-lock-");
        scheduler.setDaemon(true);
        scheduler.setRemoveOnCancelPolicy(true);
        scheduler.setAcceptTasksAfterContextClose(true);
        return scheduler;
    }

    @Bean
    @ConditionalOnMissingBean
    LockAlgorithm cassandraLockAlgorithm(
            CassandraLockProperties properties,
            CassandraOperations cassandra,
            @Qualifier(SCHEDULER) TaskScheduler scheduler,
            Environment environment,
            ObjectProvider<WallClock> calendar) {
        return new AlgorithmFactory(
                        properties,
                        CassandraAccess.of(cassandra),
                        new TaskSchedulerTimers(scheduler),
                        calendar.getIfAvailable(() -> LockerConfiguration::calendarOfThisMachine),
                        owner(environment.getProperty("spring.application.name")))
                .create();
    }

    private static long calendarOfThisMachine() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** Tells people who read the sessions' table whose a session is. */
    private static String owner(@Nullable String application) {
        return ProcessName.ofThisProcess() + (application == null ? "" : " " + application);
    }

    @Bean
    AlgorithmLocker remoteLocker(
            LockAlgorithm algorithm, CassandraLockProperties properties, ObjectProvider<LockListener> listeners) {
        return new AlgorithmLocker(
                algorithm,
                properties.lease(),
                Ticker.system(),
                listeners.orderedStream().toList());
    }
}
