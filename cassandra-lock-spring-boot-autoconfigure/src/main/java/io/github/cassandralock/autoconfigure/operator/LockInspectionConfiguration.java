package io.github.cassandralock.autoconfigure.operator;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.CassandraLockProperties;
import io.github.cassandralock.autoconfigure.ConditionalOnMissingLockBean;
import io.github.cassandralock.autoconfigure.InvalidLockPropertyException;
import io.github.cassandralock.autoconfigure.locker.LockInspections;
import io.github.cassandralock.inspect.LockInspector;
import io.github.cassandralock.internal.inspect.ForceReleaser;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import io.github.cassandralock.internal.ticket.operator.TicketForceReleaser;
import io.github.cassandralock.internal.time.Timers;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** What applications read about locks of all processes, and the release of these by force. Needs no Actuator. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(RemoteLocker.class)
class LockInspectionConfiguration {

    @Bean
    @Lazy
    @ConditionalOnMissingLockBean(LockInspector.class)
    LockInspector cassandraLockInspector(RemoteLocker locker, ObjectProvider<LockInspections> inspections) {
        return locker instanceof AlgorithmLocker own
                ? own.inspector(new FirstUse<>(
                        () -> Optional.ofNullable(inspections.getIfAvailable()).flatMap(LockInspections::inspection)))
                : new UnknownLocks();
    }

    /** Releases locks by force, in other processes as well, if a property enables it. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitch(property = "cassandra-lock.force-release.enabled", byDefault = false)
    @ConditionalOnBean(AlgorithmLocker.class)
    static class ForceRelease {

        /** Not lazy, even if all other beans are: nothing in this process has to request it. */
        @Lazy(false)
        @Bean(initMethod = "start")
        @ConditionalOnMissingLockBean(ForceReleaser.class)
        TicketForceReleaser cassandraLockForceReleaser(
                CassandraLockProperties properties,
                Timers timers,
                RemoteLocker locker,
                ObjectProvider<LockInspections> inspections) {
            LockInspections own = locker instanceof AlgorithmLocker ? inspections.getIfAvailable() : null;
            return new TicketForceReleaser(
                    own == null ? Optional::empty : means(own),
                    properties.settings().sessions(),
                    timers);
        }

        private static Supplier<Optional<TicketForceReleaser.Means>> means(LockInspections inspections) {
            if (!inspections.canForceRelease()) {
                throw new InvalidLockPropertyException(
                        "force-release.enabled",
                        true,
                        "the algorithm '" + inspections.algorithm().getName()
                                + "' is the application's own and cannot release locks by force; leave it off",
                        "false",
                        null);
            }
            return new FirstUse<>(inspections::forceReleaseMeans);
        }
    }
}
