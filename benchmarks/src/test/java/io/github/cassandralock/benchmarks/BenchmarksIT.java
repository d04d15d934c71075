package io.github.cassandralock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.cassandralock.benchmarks.server.Peer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The commands, in small: they end, and leave complete reports. How fast things are does not matter here. */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class BenchmarksIT {

    private static final Set<String> COLUMNS = new TreeSet<>(List.of(
            "experiment",
            "algorithm",
            "processes",
            "contenders",
            "acquisitions",
            "meanMs",
            "p50Ms",
            "p99Ms",
            "maxMs",
            "locksPerSecond",
            "dbOpsPerLock",
            "changedHands",
            "violations"));

    @TempDir
    private Path out;

    private List<JsonNode> run(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--nodes", "1", "--warm-up", "PT0S", "--turns", "2", "--out", out.toString()));
        assertThat(Benchmarks.run(all.toArray(String[]::new))).as("exit status").isZero();
        return rows("results.json");
    }

    private List<JsonNode> rows(String name) throws IOException {
        List<JsonNode> rows = new ArrayList<>();
        new ObjectMapper().readTree(out.resolve(name).toFile()).forEach(rows::add);
        return rows;
    }

    @Test
    void readersAndWritersAreMeasuredInAllShares() throws IOException {
        run("readers", "--contenders", "1,5", "--readers", "0,90,100", "--acquisitions", "9", "--with", "curator");
        List<JsonNode> rows = rows("readers.json");
        assertThat(rows)
                .extracting(row -> row.get("contenders") + " " + row.get("readers"))
                .contains("1 0", "1 90", "1 100", "5 0", "5 90", "5 100");
        assertThat(rows).extracting(row -> row.get("algorithm").asText()).contains("ticket", "ticket-notices");
        assertThat(rows)
                .allSatisfy(row -> assertThat(row.get("violations").asInt()).isZero());
    }

    @Test
    void theThesisExperimentMeasuresEveryPair() throws IOException {
        List<JsonNode> rows = run("thesis", "--processes", "1,2", "--acquisitions", "9");
        assertThat(rows)
                .extracting(row -> row.get("algorithm").asText() + row.get("processes"))
                .containsExactly("shadow1", "queue1", "ticket1", "shadow2", "queue2", "ticket2");
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.fieldNames()).toIterable().containsExactlyInAnyOrderElementsOf(COLUMNS);
            assertThat(row.get("acquisitions").asInt()).isEqualTo(9);
            assertThat(row.get("violations").asInt()).isZero();
            assertThat(row.get("dbOpsPerLock").asDouble()).isBetween(2.9, 30.0);
        });
        assertThat(out.resolve("tables.md")).content().contains("mean, `ticket`", "| 2 |");
        for (String figure : List.of("figure-1.svg", "figure-2.svg", "figure-3.svg")) {
            assertThat(out.resolve(figure)).content().contains("<svg", "<path");
        }
    }

    @Test
    void peersDoTheSameWork() throws IOException {
        List<JsonNode> rows = run("peers", "--with", "lwt,redisson", "--contenders", "1,2", "--acquisitions", "4");
        assertThat(rows)
                .extracting(row -> row.get("algorithm").asText() + row.get("contenders"))
                .contains("ticket1", "ticket-notices2", "lwt2", "redisson2");
        assertThat(rows)
                .allSatisfy(row -> assertThat(row.get("violations").asInt()).isZero());
    }

    @Test
    @EnabledIfSystemProperty(
            named = "benchmarks.all",
            matches = "true",
            disabledReason = "takes a minute or two, in the night")
    void theQueueIsMeasuredWithManyThreadsBesideTheTicketLock() throws IOException {
        run("scaling", "--growing", "threads", "--acquisitions", "2");
        List<JsonNode> rows = rows("scaling.json");
        assertThat(rows)
                .extracting(row -> row.get("algorithm").asText() + row.get("at"))
                .contains("queue1", "queue10", "queue100", "ticket100", "ticket-notices1000")
                .doesNotContain("queue1000");
        assertThat(rows)
                .allSatisfy(row -> assertThat(row.get("violations").asInt()).isZero());
    }

    @Test
    @EnabledIfSystemProperty(
            named = "benchmarks.all",
            matches = "true",
            disabledReason = "takes a minute or two, in the night")
    void aMajorityIsMeasuredBesideOneClusterAndCostsMoreThanOne() throws IOException {
        List<JsonNode> rows = run("majority", "--contenders", "1,2", "--acquisitions", "4");
        assertThat(rows)
                .extracting(row -> row.get("algorithm").asText() + row.get("contenders"))
                .containsExactly("ticket1", "majority1", "ticket2", "majority2");
        assertThat(rows)
                .allSatisfy(row -> assertThat(row.get("violations").asInt()).isZero());
        assertThat(rows.get(0).get("dbOpsPerLock").asDouble()).isBetween(2.9, 5.0);
        assertThat(rows.get(1).get("dbOpsPerLock").asDouble())
                .as("operations in all clusters")
                .isGreaterThanOrEqualTo(6);
        assertThat(out.resolve("tables.md")).content().contains("A majority of three clusters");
    }

    @Test
    void deadlockSearchIsMeasuredAndEndsNobodyWhoTakesLocksInOrder() throws IOException {
        String[] arguments = {
            "waiting",
            "--owners=20",
            "--processes=2",
            "--runs=1",
            "--time=PT3S",
            "--in-order=PT5S",
            "--owners-in-order=5",
            "--out=" + out
        };
        assertThat(Benchmarks.run(arguments)).as("exit status").isZero();
        assertThat(rows("waiting.json"))
                .extracting(row -> row.get("processes") + " " + row.get("search"))
                .containsExactly("2 false", "2 true");
        assertThat(rows("waiting.json")).allSatisfy(row -> {
            assertThat(row.get("victims").asInt()).isZero();
            assertThat(row.get("writesPerInterval").asDouble()).isLessThan(1.5);
        });
        assertThat(rows("in-order.json")).singleElement().satisfies(row -> {
            assertThat(row.get("taken").asInt()).isPositive();
            assertThat(row.get("victims").asInt()).isZero();
        });
    }

    /** PostgreSQL only: skipped where it is not installed. */
    @Test
    void aHandlerIsMeasuredBesideAnOutboxOnTheSamePostgres() throws IOException {
        assumeTrue(Peer.POSTGRES.isInstalled());
        String[] arguments = {"exactly-once", "--groups=1,10", "--runs=1", "--most-groups=20", "--out=" + out};
        assertThat(Benchmarks.run(arguments)).as("exit status").isZero();
        assertThat(rows("exactly-once.json"))
                .extracting(row -> row.get("way").asText() + row.get("group"))
                .containsExactly("handler1", "outbox1", "handler10", "outbox10");
        assertThat(rows("exactly-once.json"))
                .allSatisfy(row ->
                        assertThat(row.get("messagesPerSecond").asDouble()).isPositive())
                .filteredOn(row -> row.get("way").asText().equals("handler"))
                .as("compare-and-sets of a group: state, output, and a few at the beginning and the end")
                .allSatisfy(row -> assertThat(row.get("commitsPerMessage").asDouble()
                                * row.get("group").asInt())
                        .isBetween(2.0, 2.8));
    }

    /** The next holder of a lock waits for the lease of one that was killed; a copy waits for nobody. */
    @Test
    @EnabledIfSystemProperty(
            named = "benchmarks.all",
            matches = "true",
            disabledReason = "takes a minute or two, in the night")
    void theGapAfterAKillIsMeasuredForCopiesAndForALock() throws IOException {
        assumeTrue(Peer.POSTGRES.isInstalled());
        assertThat(Benchmarks.run("gap", "--runs=1", "--out=" + out))
                .as("exit status")
                .isZero();
        List<JsonNode> rows = rows("gap.json");
        assertThat(rows)
                .extracting(row -> row.get("event").asText())
                .containsExactly("NOTHING", "COPY_KILLED", "HOLDER_KILLED");
        assertThat(rows.get(2).get("longestMs").asDouble())
                .isGreaterThan(rows.get(1).get("longestMs").asDouble());
    }

    @Test
    void aMajorityIsRefusedWhereThereIsOneCluster() {
        assertThat(Benchmarks.run("crowd", "--with=majority", "--processes=1", "--each=1", "--nodes=1", "--out=" + out))
                .isEqualTo(1);
    }

    @Test
    void theAnatomyOfALockIsThreeRoundTrips() throws IOException {
        run("anatomy");
        assertThat(rows("anatomy.json")).hasSize(2).allSatisfy(row -> {
            assertThat(row.get("roundTrips").asDouble()).isEqualTo(3);
            assertThat(row.get("clientShare").asDouble()).isBetween(0.0, 1.0);
        });
    }

    @Test
    void countsOfNothingAreRefusedAtOnce() {
        assertThat(Benchmarks.run("thesis", "--processes", "1,0")).isEqualTo(2);
        assertThat(Benchmarks.run("thesis", "--acquisitions", "-5")).isEqualTo(2);
        assertThat(Benchmarks.run("scaling", "--nodes", "0")).isEqualTo(2);
        assertThat(Benchmarks.run("peers", "--contenders", "7")).isEqualTo(2);
    }

    @Test
    void anAlgorithmThatDoesNotExistIsRefusedAtOnce() {
        assertThat(Benchmarks.run("peers", "--with", "postgres")).isEqualTo(2);
        assertThat(Files.exists(out.resolve("results.json"))).isFalse();
    }
}
