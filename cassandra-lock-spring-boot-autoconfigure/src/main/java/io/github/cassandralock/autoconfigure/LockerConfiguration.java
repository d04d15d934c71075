package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.locker.ProcessName;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.WallClock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.cassandra.core.CassandraOperations;

/** The locker and what it stands on. Backs off as a whole if the application has a {@link RemoteLocker} of its own. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(CassandraOperations.class)
@ConditionalOnMissingBean(RemoteLocker.class)
class LockerConfiguration {

    private static final String LOCKER = "remoteLocker";

    /**
     * Timers of their own, not a scheduler bean: a job that blocks the application's scheduler, or a context that is stopped,
     * restarted or paused, must not keep leases from being renewed. They work until the locker is closed.
     */
    @Bean
    @ConditionalOnMissingBean(Timers.class)
    ScheduledTimers cassandraLockTimers() {
        return new ScheduledTimers();
    }

    @Bean
    @ConditionalOnMissingBean
    LockAlgorithm cassandraLockAlgorithm(
            CassandraLockProperties properties,
            CassandraOperations cassandra,
            Timers timers,
            Environment environment,
            ObjectProvider<WallClock> wallClock) {
        return new AlgorithmFactory(
                        properties,
                        CassandraAccess.of(cassandra),
                        timers,
                        wallClock.getIfAvailable(() -> LockerConfiguration::systemWallClock),
                        owner(environment.getProperty("spring.application.name")))
                .create();
    }

    private static long systemWallClock() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** Tells people who read the sessions' table whose a session is. */
    private static String owner(@Nullable String application) {
        return ProcessName.ofThisProcess() + (application == null ? "" : " " + application);
    }

    @Bean
    static LockerBeforeSessions cassandraLockLockerBeforeSessions(ConfigurableBeanFactory beanFactory) {
        return new LockerBeforeSessions(LOCKER, beanFactory);
    }

    @Bean(LOCKER)
    AlgorithmLocker remoteLocker(
            LockAlgorithm algorithm,
            CassandraLockProperties properties,
            Timers timers,
            ObjectProvider<LockListener> listeners,
            ObjectProvider<RestoreHook> restores) {
        AlgorithmLocker locker = new AlgorithmLocker(
                algorithm,
                properties.lease(),
                Ticker.system(),
                timers,
                listeners.orderedStream().toList());
        restores.forEach(hook -> hook.tell(locker));
        return locker;
    }

    /** Tells the locker that the process was restored from a checkpoint. */
    interface RestoreHook {
        void tell(AlgorithmLocker locker);
    }

    /** Where the platform can restore a process from a checkpoint, and says so through org.crac. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.crac.Resource")
    static class Checkpoints {

        @Bean
        SessionPerRestore cassandraLockSessionPerRestore() {
            return new SessionPerRestore();
        }
    }
}
