package io.github.cassandralock.autoconfigure.locker;

import io.github.cassandralock.autoconfigure.CassandraLockProperties;
import io.github.cassandralock.autoconfigure.LockerName;
import io.github.cassandralock.autoconfigure.majority.MajorityFactory;
import io.github.cassandralock.autoconfigure.startup.StartFailures;
import io.github.cassandralock.cassandra.LockingAlgorithm;
import io.github.cassandralock.internal.assembly.AlgorithmFactory;
import io.github.cassandralock.internal.assembly.AlgorithmParts;
import io.github.cassandralock.internal.assembly.CassandraPorts;
import io.github.cassandralock.internal.assembly.LockSettings;
import io.github.cassandralock.internal.connection.DriverReconnection;
import io.github.cassandralock.internal.lazy.DeferredAlgorithm;
import io.github.cassandralock.internal.startup.StartProgress;
import io.github.cassandralock.internal.startup.StartReport;
import io.github.cassandralock.spi.LockAlgorithm;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;

/** Creates the algorithm that the properties name: at once, or in the background with a lazy start. */
record ConfiguredAlgorithm(
        CassandraLockProperties properties,
        AlgorithmParts parts,
        MajorityFactory majorities,
        ListableBeanFactory beans,
        Environment environment) {

    private static final Logger log = LoggerFactory.getLogger(ConfiguredAlgorithm.class);

    LockAlgorithm create() {
        if (parts.settings().algorithm() == LockingAlgorithm.MAJORITY) {
            LockAlgorithm algorithm = majorities.create();
            parts.settings().logChosen(algorithm);
            return algorithm;
        }
        if (parts.settings().migratesMajority()) {
            majorities.requireSound();
        }
        return switch (properties.startup()) {
            case EAGER -> assemble(beans.getBean(CassandraPorts.class), StartProgress.UNHEARD);
            case LAZY -> deferred();
        };
    }

    /** Blocks until the tables are there. */
    private LockAlgorithm assemble(CassandraPorts access, StartProgress progress) {
        return new AlgorithmFactory(parts, access).create(majorities::create, progress);
    }

    private LockAlgorithm deferred() {
        LockSettings settings = parts.settings();
        LockerName locker = LockerName.of(environment);
        AtomicReference<@Nullable CassandraPorts> access = new AtomicReference<>();
        return new DeferredAlgorithm(
                locker.threads(),
                settings.algorithmName(),
                settings.algorithm() == LockingAlgorithm.TICKET,
                progress -> {
                    CassandraPorts found = beans.getBean(CassandraPorts.class);
                    access.set(found);
                    return assemble(found, progress);
                },
                failure -> Optional.ofNullable(access.get())
                        .map(found -> found.translated(failure))
                        .orElse(failure),
                new StartReport(log, locker.locks(), new StartFailures(environment)),
                DriverReconnection.longestPause(properties.reconnection().maxDelay()));
    }
}
