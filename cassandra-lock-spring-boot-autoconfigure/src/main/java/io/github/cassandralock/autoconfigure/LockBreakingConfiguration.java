package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.inspect.LockBreaker;
import io.github.cassandralock.internal.lazy.DeferredAlgorithm;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.operator.TicketBreaker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.WallClock;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Breaks locks by force, and releases locks that others break, if a property enables it. Needs no Actuator. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSwitch(property = "cassandra-lock.breaking.enabled", byDefault = false)
@ConditionalOnBean(AlgorithmLocker.class)
class LockBreakingConfiguration {

    /** Not lazy, even if all other beans are: nothing in this process has to request it. */
    @Lazy(false)
    @Bean(initMethod = "start")
    @ConditionalOnMissingBean(LockBreaker.class)
    TicketBreaker cassandraLockBreaker(
            CassandraLockProperties properties,
            ListableBeanFactory beans,
            Timers timers,
            RemoteLocker locker,
            ObjectProvider<LockAlgorithm> algorithm,
            ObjectProvider<WallClock> wallClock) {
        return new TicketBreaker(
                locker instanceof AlgorithmLocker own
                        ? means(properties, beans, timers, own, algorithm.getObject(), wallClock)
                        : Optional::empty,
                new SessionSettings(properties.lease(), properties.clockDrift().fraction()),
                timers);
    }

    private static Supplier<Optional<TicketBreaker.Means>> means(
            CassandraLockProperties properties,
            ListableBeanFactory beans,
            Timers timers,
            AlgorithmLocker locker,
            LockAlgorithm algorithm,
            ObjectProvider<WallClock> wallClock) {
        if (!(algorithm instanceof TicketAlgorithm || algorithm instanceof DeferredAlgorithm)) {
            throw new InvalidLockPropertyException(
                    "breaking.enabled",
                    true,
                    "the algorithm '" + algorithm.name()
                            + "' is the application's own and cannot break locks; leave breaking" + " off",
                    "false",
                    null);
        }
        return new FirstUse<>(new InspectionFactory(
                properties,
                beans,
                timers,
                wallClock.getIfAvailable(() -> LockerConfiguration::systemWallClock),
                locker,
                algorithm)::meansToBreak);
    }
}
