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
                .contains("| contenders | algorithm | locks/s | lowest to highest turn | times curator |")
                .contains("| 5 | notices | 300 | 300 to 330 | 1.50 | 1.50 | 0.50 | 2 % |  | 2.00 |")
                .contains("](figures/peers.svg)")
                .doesNotContain("another day")
                .endsWith("<!-- end of results -->\n\nAfter.\n");
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
        assertThat(ResultPage.filled(PAGE, results)).contains("Not measured by these rules yet.");
        assertThat(ResultPage.names(PAGE)).containsExactly("peers");
    }
}
