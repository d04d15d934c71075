package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.inspect.LockBreaker;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.startup.DeferredAlgorithm;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.TicketBreaker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.WallClock;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Breaks locks by force, and gives up locks that others break, if a property says so. Needs no Actuator. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSwitch(property = "cassandra-lock.breaking.enabled", byDefault = false)
@ConditionalOnBean({AlgorithmLocker.class, LockAlgorithm.class})
class LockBreakingConfiguration {

    /** Not lazy, even if all other beans are: nobody in this process needs to ask for it. */
    @Lazy(false)
    @Bean(initMethod = "start")
    @ConditionalOnMissingBean(LockBreaker.class)
    TicketBreaker cassandraLockBreaker(
            CassandraLockProperties properties,
            ListableBeanFactory beans,
            Timers timers,
            LockAlgorithm algorithm,
            AlgorithmLocker locker,
            ObjectProvider<WallClock> wallClock) {
        if (algorithm instanceof DeferredAlgorithm) {
            throw new InvalidLockPropertyException(
                    "breaking.enabled",
                    true,
                    "requests to break locks are looked for from the start on, and with cassandra-lock.startup=lazy there may"
                            + " be no Cassandra then; start eagerly, or leave breaking off",
                    "false",
                    null);
        }
        if (!(algorithm instanceof TicketAlgorithm ticket)) {
            throw new InvalidLockPropertyException(
                    "breaking.enabled",
                    true,
                    "the algorithm '" + algorithm.name()
                            + "' is the application's own and cannot break locks; leave breaking off",
                    "false",
                    null);
        }
        return new InspectionFactory(
                        properties,
                        CassandraAccess.find(properties.sessionBean(), beans),
                        timers,
                        wallClock.getIfAvailable(() -> LockerConfiguration::systemWallClock),
                        locker.threadIdPrefix())
                .breaker(ticket);
    }
}
