package io.github.cassandralock.autoconfigure.operator;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.locker.LockInspections;
import io.github.cassandralock.inspect.ProcessOwner;
import io.github.cassandralock.internal.actuate.BreakingLocksEndpoint;
import io.github.cassandralock.internal.actuate.CassandraLocksEndpoint;
import io.github.cassandralock.internal.actuate.LockReports;
import io.github.cassandralock.internal.actuate.LocksEndpointHints;
import io.github.cassandralock.internal.assembly.AlgorithmParts;
import io.github.cassandralock.internal.endpoint.StrictParameters;
import io.github.cassandralock.internal.inspect.LocalLocks;
import io.github.cassandralock.internal.inspect.LockBreaker;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import java.util.Optional;
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
                RemoteLocker locker,
                ObjectProvider<LockInspections> inspections,
                ObjectProvider<LockBreaker> breaker,
                AlgorithmParts parts) {
            ProcessOwner thisProcess = ProcessOwner.ofSession(parts.owner());
            LockReports reports = locker instanceof AlgorithmLocker own
                    ? reports(parts, thisProcess, own, inspections.getObject())
                    : unknown(thisProcess);
            LockBreaker available = breaker.getIfAvailable();
            return available == null
                    ? new CassandraLocksEndpoint(reports)
                    : new BreakingLocksEndpoint(reports, available, thisProcess);
        }

        private static LockReports reports(
                AlgorithmParts parts, ProcessOwner thisProcess, AlgorithmLocker locker, LockInspections inspections) {
            return new LockReports(
                    inspections.algorithm().getName(),
                    parts.settings().prefix().orElse(null),
                    thisProcess,
                    locker,
                    new FirstUse<>(inspections::inspection));
        }

        /** For a test that has replaced the configured locker. */
        private static LockReports unknown(ProcessOwner thisProcess) {
            return new LockReports("unknown", null, thisProcess, lockIds -> LocalLocks.NONE, Optional::empty);
        }
    }
}
