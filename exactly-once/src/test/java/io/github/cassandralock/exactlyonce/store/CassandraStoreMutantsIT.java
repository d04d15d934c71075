package io.github.cassandralock.exactlyonce.store;

import io.github.cassandralock.internal.seeded.Fault;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of stores finds faults that are planted into the store in Cassandra, on a real node. Costs 90 seconds. */
@Tag("slow")
@Tag("nightly")
class CassandraStoreMutantsIT {

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.github.cassandralock.exactlyonce.store.StoreMutants#ofCassandra")
    void plantedFaultIsCaught(Fault fault, @TempDir Path directory) throws Exception {
        StoreMutants.assertCaught(fault, directory);
    }
}
