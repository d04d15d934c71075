package io.github.cassandralock.testing.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Costs nothing. Fails if a table in a page is not the one that the files give. */
class ResultPageTest {

    private static final String PAGE = """
            Before.

            <!-- results: peers -->
            | a table | of another day |
            <!-- end of results -->

            After.
            """;

    @TempDir
    private Path results;

    private void start(int number, double perSecond) throws IOException {
        Path start = Files.createDirectories(Run.start(results.resolve("peers"), number));
        Rows.run(Rows.row("notices", perSecond), Rows.row("curator", 200)).write(start);
    }

    @Test
    void theTableIsMadeOfTheFilesOfAllStarts() throws IOException {
        start(1, 330);
        start(2, 300);
        assertThat(ResultPage.filled(PAGE, results))
                .startsWith("Before.\n\n<!-- results: peers -->\n\nThe slowest of 2 fresh starts, shared.")
                .contains("| contenders | algorithm | locks/s | times curator | mean ms |")
                .contains("| 5 | notices | 300 | 1.50 | 2.00 | 5.00 |")
                .doesNotContain("another day")
                .endsWith("<!-- end of results -->\n\nAfter.\n");
    }

    @Test
    void theTextOfAPlotHasItsNumbers() throws IOException {
        Path start = Files.createDirectories(Run.start(results.resolve("peers"), 1));
        Rows.run(Rows.row(1, "ticket", 330), Rows.row(5, "curator", 150)).write(start);
        assertThat(ResultPage.filled(PAGE, results))
                .contains("![Mean time to get a lock, ms: contenders 1, ticket 2.00; contenders 5, curator 2.00]"
                        + "(figures/peers-latency.svg)")
                .contains("ms: contenders 1, ticket 2.00; contenders 5, curator 2.00](figures/peers-cost.svg)");
    }

    @Test
    void versionsOfWhatWasMeasuredAreAmongTheConditions() throws IOException {
        start(1, 330);
        assertThat(ResultPage.filled(PAGE, results)).contains("2 processors, lock 1.");
    }

    @Test
    void thePriceIsThatOfTheSlowestStart() throws IOException {
        for (int number = 1; number <= 2; number++) {
            Path start = Files.createDirectories(Run.start(results.resolve("peers"), number));
            Rows.run(
                            Rows.row(1, "ticket", 300),
                            Rows.row(5, "ticket", 50),
                            Rows.row(5, "ticket-notices", 400 - 100 * number),
                            Rows.row(5, "curator", 100))
                    .write(start);
        }
        assertThat(ResultPage.filled(PAGE.replace("results: peers", "price: peers"), results))
                .contains("| mean time to get the lock | 2.00 ms | 2.00 ms |")
                .contains("| with notices |  | 2.00 |")
                .contains("| rate, times Curator's |  | 0.50 |");
    }

    @Test
    void figuresOfASoakFollowTheTablesOfItsCommand() throws IOException {
        Path directory = Files.createDirectories(results.resolve("peers"));
        Files.writeString(directory.resolve("tables.md"), "| its | table |\n");
        Files.writeString(directory.resolve(ResultPage.SOAK), "[]");
        assertThat(ResultPage.filled(PAGE, results))
                .contains("| its | table |\n\n![Heap of each process", "(figures/soak-heap.svg)\n\n![Threads")
                .contains("(figures/soak-threads.svg)\n\n<!-- end of results -->");
    }

    @Test
    void tablesThatACommandWroteAreTakenAsTheyAre() throws IOException {
        Files.writeString(Files.createDirectories(results.resolve("peers")).resolve("tables.md"), "| its | table |\n");
        assertThat(ResultPage.filled(PAGE, results)).contains("<!-- results: peers -->\n\n| its | table |\n\n<!-- end");
    }

    @Test
    void aPageThatIsFilledStaysAsItIs() throws IOException {
        start(1, 330);
        String filled = ResultPage.filled(PAGE, results);
        assertThat(ResultPage.filled(filled, results)).isEqualTo(filled);
    }

    @Test
    void thePageSaysThatNothingWasMeasured() {
        assertThat(ResultPage.filled(PAGE, results)).contains("No run is committed yet.");
        assertThat(ResultPage.names(PAGE)).containsExactly("peers");
    }
}
