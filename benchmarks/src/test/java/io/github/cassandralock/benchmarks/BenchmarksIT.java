package io.github.cassandralock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.cassandralock.benchmarks.processor.Cores;
import io.github.cassandralock.benchmarks.server.Peer;
import io.github.cassandralock.testing.results.Result;
import io.github.cassandralock.testing.results.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands, in small: they end, and leave complete reports. How fast things are does not matter here. */
@Tag("slow")
@Tag("nightly")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class BenchmarksIT {

    @TempDir
    private Path out;

    private List<Result> run(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--nodes=1", "--warm-up=PT0S", "--lead-in=PT0S", "--turn=PT0.5S", "--turns=2"));
        all.add("--out=" + out);
        assertThat(Benchmarks.run(all.toArray(String[]::new))).as("exit status").isZero();
        return Run.in(out).get(0).results();
    }

    private List<JsonNode> rows(String name) throws IOException {
        List<JsonNode> rows = new ArrayList<>();
        new ObjectMapper().readTree(out.resolve(name).toFile()).forEach(rows::add);
        return rows;
    }

    private static String named(Result row) {
        return row.algorithm()
                + row.point().values().stream().map(value -> " " + value).collect(Collectors.joining());
    }

    private static void assertNoViolation(List<Result> rows) {
        assertThat(rows).isNotEmpty().allSatisfy(row -> {
            assertThat(row.figures().violations()).isZero();
            assertThat(row.figures().locksPerSecond()).isPositive();
        });
    }

    @Test
    void readersAndWritersAreMeasuredInAllShares() throws IOException {
        List<Result> rows = run("readers", "--contenders=1,5", "--readers=0,90,100", "--with=curator");
        assertThat(rows)
                .extracting(BenchmarksIT::named)
                .contains("ticket 1 0", "ticket 1 90", "ticket-notices 1 100", "ticket 5 0", "ticket 5 100");
        assertNoViolation(rows);
    }

    @Test
    void permitsAreMeasuredBesideTheSemaphoresOfOthers() throws IOException {
        List<Result> rows = run("permits", "--contenders=5", "--permits=2,5", "--with=curator,redisson");
        assertThat(rows).extracting(BenchmarksIT::named).contains("ticket 5 2", "ticket-notices 5 5");
        assertNoViolation(rows);
    }

    @Test
    void theThesisExperimentMeasuresEveryPair() throws IOException {
        List<Result> rows = run("thesis", "--processes=1,2", "--acquisitions=20");
        assertThat(rows)
                .extracting(BenchmarksIT::named)
                .containsExactly("queue 1", "shadow 1", "ticket 1", "queue 2", "shadow 2", "ticket 2");
        assertNoViolation(rows);
        assertThat(rows)
                .allSatisfy(row -> assertThat(row.figures().dbOpsPerLock()).isBetween(2.5, 40.0));
        assertThat(out.resolve("tables.md")).content().contains("mean, `ticket`", "| 2 |");
        for (String figure : List.of("figure-1.svg", "figure-2.svg", "figure-3.svg")) {
            assertThat(Run.start(out, 1).resolve(figure)).content().contains("<svg", "<path");
        }
    }

    @Test
    void peersDoTheSameWork() throws IOException {
        List<Result> rows = run("peers", "--with=lwt,redisson", "--contenders=1,2");
        assertThat(rows)
                .extracting(BenchmarksIT::named)
                .contains("ticket 1", "ticket-notices 2", "lwt 2", "redisson 2");
        assertNoViolation(rows);
        assertThat(out.resolve("tables.md"))
                .content()
                .contains("A trial, not a measurement", "Not warm: ticket, {contenders=1}, start 1.");
    }

    @Test
    void threadsOfProcessesWithServersApartAreMeasuredInEachStart() throws IOException {
        assumeTrue(Cores.find().isPresent());
        List<Result> rows =
                run("threads", "--processes=2", "--threads=3", "--with=redisson", "--layout=apart", "--starts=2");
        assertThat(rows).extracting(BenchmarksIT::named).contains("ticket 3", "ticket-notices 3");
        assertNoViolation(rows);
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.usage().serverMsPerLock()).isNotNegative();
            assertThat(row.usage().clientMsPerLock()).isPositive();
        });
        assertThat(Run.in(out)).hasSize(2);
        assertThat(out.resolve("tables.md"))
                .content()
                .contains("The slowest of 2 fresh starts, servers on one core, clients on another one.");
    }

    @Test
    void aPlantedFaultInTheBookkeepingShows() throws IOException {
        assumeTrue(Peer.REDIS.isInstalled());
        run("bookkeeping", "--with=redisson", "--planted");
        assertThat(rows("start-1/bookkeeping.json")).singleElement().satisfies(row -> {
            assertThat(row.get("visible").asBoolean()).isTrue();
            assertThat(row.get("ratio").asDouble()).isLessThan(0.9);
        });
    }

    /** The other version is the present one, as one jar. */
    @Test
    void twoVersionsAreMeasuredInTurns() throws IOException {
        List<Result> rows = run(
                "versions", "--before=target/benchmarks.jar", "--with=ticket-notices,bare-requests", "--processes=1,2");
        assertThat(rows)
                .extracting(row -> row.experiment() + ", " + named(row))
                .containsExactly(
                        "versions, ticket-notices 1",
                        "versions, bare-requests 1",
                        "versions, ticket-notices 2",
                        "versions, bare-requests 2",
                        "versions-before, ticket-notices 1",
                        "versions-before, bare-requests 1",
                        "versions-before, ticket-notices 2",
                        "versions-before, bare-requests 2");
        assertNoViolation(rows);
        assertThat(Run.start(out, 1).resolve("tables.md"))
                .content()
                .contains("### Beside another version", "| 2 | ticket-notices |");
    }

    @Test
    void theQueueIsMeasuredWithManyThreadsBesideTheTicketLock() throws IOException {
        List<Result> rows = run("scaling", "--growing=threads");
        assertThat(rows)
                .extracting(BenchmarksIT::named)
                .contains("queue 1", "queue 10", "queue 100", "ticket 100", "ticket-notices 1000")
                .doesNotContain("queue 1000");
        assertNoViolation(rows);
    }

    @Test
    void aMajorityIsMeasuredBesideOneClusterAndCostsMoreThanOne() throws IOException {
        List<Result> rows = run("majority", "--contenders=1,2");
        assertThat(rows)
                .extracting(BenchmarksIT::named)
                .containsExactly("ticket 1", "majority 1", "ticket 2", "majority 2");
        assertNoViolation(rows);
        assertThat(rows.get(0).figures().dbOpsPerLock()).isBetween(2.9, 5.0);
        assertThat(rows.get(1).figures().dbOpsPerLock())
                .as("operations in all clusters")
                .isGreaterThanOrEqualTo(6);
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

    @Test
    void limitsAreMeasuredInSmall() throws IOException {
        String[] arguments = {
            "limits",
            "--held=50",
            "--waiters=20",
            "--together=5",
            "--sessions=4",
            "--processes=2",
            "--count=PT1S",
            "--random=PT2S",
            "--random-per-second=20",
            "--churn=200",
            "--soak=PT4S",
            "--every=PT1S",
            "--runs=1",
            "--out=" + out
        };
        assertThat(Benchmarks.run(arguments)).as("exit status").isZero();
        assertThat(out.resolve("tables.md"))
                .content()
                .contains(
                        "### Locks held by one process",
                        "### Calls that wait for one lock, in 2 processes",
                        "### Locks of one call",
                        "### Sessions in 2 processes",
                        "### Random lock ids at full speed",
                        "### Random lock ids, 20 a second for 2 s",
                        "### Seconds of mixed work");
        assertThat(limit("held", "slots left to be evicted by others")).isZero();
        assertThat(limit("churn", "rows left")).isEqualTo(200);
        assertThat(limit("random", "rows left")).isEqualTo(40);
        assertThat(rows("soak.json")).hasSize(8);
        assertThat(out.resolve("soak-heap.svg")).content().contains("<svg");
    }

    private int limit(String part, String figure) throws IOException {
        return rows("limits-" + part + ".json").stream()
                .filter(row -> row.get("figure").asText().equals(figure))
                .mapToInt(row -> row.get("value").asInt())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anApplicationIsStartedWithTheStarterAndWithout() throws IOException {
        assertThat(Benchmarks.run("start", "--warm-up=1", "--runs=1", "--out=" + out))
                .as("exit status")
                .isZero();
        List<JsonNode> rows = rows("start.json");
        assertThat(rows).hasSize(6);
        assertThat(rows.get(1).get("beans").asInt())
                .isGreaterThan(rows.get(0).get("beans").asInt());
        assertThat(rows.get(2).get("beans").asInt())
                .as("beans of a web application")
                .isGreaterThan(100 + rows.get(0).get("beans").asInt());
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
    @Tag("nightly")
    void stepsOfAHandlerAreMeasuredWithOneOutputAndWithFour() throws IOException {
        assertThat(Benchmarks.run("outputs", "--runs=1", "--steps=50", "--outputs=1,4", "--out=" + out))
                .as("exit status")
                .isZero();
        assertThat(rows("outputs.json"))
                .hasSize(2)
                .allSatisfy(row -> assertThat(row.get("stepMs").asDouble()).isPositive());
    }

    @Test
    void aMajorityIsRefusedWhereThereIsOneCluster() {
        assertThat(Benchmarks.run("crowd", "--with=majority", "--processes=1", "--each=1", "--nodes=1", "--out=" + out))
                .isEqualTo(1);
    }

    @Test
    void theAnatomyOfALockIsThreeRoundTrips() throws IOException {
        run("anatomy");
        assertThat(rows("start-1/anatomy.json")).hasSize(2).allSatisfy(row -> {
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
        assertThat(Benchmarks.run("peers", "--layout", "together")).isEqualTo(2);
        assertThat(Benchmarks.run("versions", "--before", "pom.xml")).isEqualTo(2);
    }

    @Test
    void anAlgorithmThatDoesNotExistIsRefusedAtOnce() {
        assertThat(Benchmarks.run("peers", "--with", "postgres")).isEqualTo(2);
        assertThat(out).isEmptyDirectory();
    }
}
