package io.github.cassandralock.autoconfigure.operator;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.LockerName;
import io.github.cassandralock.autoconfigure.locker.LockInspections;
import io.github.cassandralock.autoconfigure.locker.NamedLocker;
import io.github.cassandralock.inspect.ProcessOwner;
import io.github.cassandralock.internal.actuate.CassandraLocksEndpoint;
import io.github.cassandralock.internal.actuate.ForceReleasingLocksEndpoint;
import io.github.cassandralock.internal.actuate.LockReports;
import io.github.cassandralock.internal.actuate.LocksEndpointHints;
import io.github.cassandralock.internal.assembly.AlgorithmParts;
import io.github.cassandralock.internal.endpoint.StrictParameters;
import io.github.cassandralock.internal.inspect.ForceReleaser;
import io.github.cassandralock.internal.inspect.LocalLocks;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * The endpoint {@code cassandralocks}, if Actuator is present and the endpoint is exposed. The annotations of Actuator are on a
 * nested class, which is not loaded without Actuator.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(
        name = "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint")
@ConditionalOnBean(AlgorithmLocker.class)
class LockEndpointConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnAvailableEndpoint(endpoint = CassandraLocksEndpoint.class)
    @ImportRuntimeHints(LocksEndpointHints.class)
    static class Available {

        @Bean
        StrictParameters cassandraLocksStrictParameters() {
            return new StrictParameters(CassandraLocksEndpoint.GUARD);
        }

        @Bean
        @ConditionalOnMissingBean
        CassandraLocksEndpoint cassandraLocksEndpoint(
                ListableBeanFactory beans, AlgorithmParts parts, ObjectProvider<NamedLocker> named) {
            ProcessOwner thisProcess = ProcessOwner.ofSession(parts.owner());
            Map<String, ListableBeanFactory> lockers = new LinkedHashMap<>();
            lockers.put(LockerName.MAIN, beans);
            named.orderedStream().forEach(locker -> lockers.put(locker.name(), locker.beans()));
            Map<String, LockReports> reports = new LinkedHashMap<>();
            Map<String, ForceReleaser> releasers = new LinkedHashMap<>();
            lockers.forEach((name, own) -> {
                boolean replaced =
                        !name.equals(LockerName.MAIN) && own.getBeanNamesForType(LockInspections.class).length == 0;
                reports.put(name, replaced ? unknown(thisProcess) : reports(thisProcess, own));
                if (!replaced && own.getBeanNamesForType(ForceReleaser.class).length > 0) {
                    releasers.put(name, own.getBean(ForceReleaser.class));
                }
            });
            return releasers.isEmpty()
                    ? new CassandraLocksEndpoint(reports)
                    : new ForceReleasingLocksEndpoint(reports, releasers, thisProcess);
        }

        private static LockReports reports(ProcessOwner thisProcess, ListableBeanFactory beans) {
            if (!(beans.getBean(RemoteLocker.class) instanceof AlgorithmLocker locker)) {
                return unknown(thisProcess);
            }
            LockInspections inspections = beans.getBean(LockInspections.class);
            return new LockReports(
                    inspections.algorithm().getName(),
                    beans.getBean(AlgorithmParts.class).settings().prefix().orElse(null),
                    thisProcess,
                    locker,
                    new FirstUse<>(inspections::inspection));
        }

        /** For a bean of the application or of a test in place of the configured locker. */
        private static LockReports unknown(ProcessOwner thisProcess) {
            return new LockReports("unknown", null, thisProcess, lockIds -> LocalLocks.NONE, Optional::empty);
        }
    }
}
