package io.github.cassandralock.exactlyonce.store;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.github.cassandralock.exactlyonce.simulation.ExactlyOnceSchedules;
import java.util.List;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** The contract of each store. The seed does not matter; the violations are the tests that fail. */
public enum StoreContracts implements ExactlyOnceSchedules {
    H2("store.jdbc.H2RegisterStoreTest"),
    REDIS("store.redis.RedisRegisterStoreTest"),
    CASSANDRA("store.cassandra.CassandraRegisterStoreIT");

    private final String contract;

    StoreContracts(String contract) {
        this.contract = contract;
    }

    @Override
    public List<String> apply(long seed) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(getClass().getClassLoader(), basePackage() + contract))
                .build();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, summary);
        if (summary.getSummary().getTestsFoundCount() == 0) {
            throw new IllegalStateException(contract + " has no tests");
        }
        return summary.getSummary().getFailures().stream()
                .map(failure -> failure.getTestIdentifier().getUniqueId() + " " + failure.getException())
                .toList();
    }
}
