package io.github.cassandralock.exactlyonce.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.seeded.Fault;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contract of stores finds faults that are planted into stores, one at a time. Costs three seconds in every build, and half a
 * minute with Redis.
 */
class StoreMutantsTest {

    @Test
    void storeWithoutAPlantedFaultKeepsToTheContract() {
        assertThat(StoreContracts.H2.apply(0)).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.github.cassandralock.exactlyonce.store.StoreMutants#ofH2")
    void plantedFaultIsCaughtInH2(Fault fault, @TempDir Path directory) throws Exception {
        StoreMutants.assertCaught(fault, directory);
    }

    @ParameterizedTest(name = "{0}")
    @Tag("slow")
    @MethodSource("io.github.cassandralock.exactlyonce.store.StoreMutants#ofRedis")
    void plantedFaultIsCaughtInRedis(Fault fault, @TempDir Path directory) throws Exception {
        StoreMutants.assertCaught(fault, directory);
    }
}
