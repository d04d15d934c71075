package io.github.cassandralock.documentation.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Each picture in {@code docs/figures} is what its text source gives. Costs nothing; catches a picture that was changed by hand, and a
 * source whose picture was not drawn again. {@code -Dfigures.write=true} draws the pictures.
 */
class FiguresTest {

    private static final Path ROOT = Path.of(System.getProperty("documentation.root", "../.."));
    private static final Path FOLDER = ROOT.resolve("docs/figures");
    private static final Pattern PICTURE = Pattern.compile("!\\[([^]]*)]\\(([^)]*)\\)");
    private static final int SHORTEST_DESCRIPTION = 80;

    @TestFactory
    Stream<DynamicTest> everyPictureIsWhatItsSourceGives() {
        List<Figure> figures = Figure.in(FOLDER);
        assertThat(figures).isNotEmpty();
        return figures.stream()
                .map(figure ->
                        DynamicTest.dynamicTest(figure.source().getFileName().toString(), () -> check(figure)));
    }

    private static void check(Figure figure) throws IOException {
        String drawn = figure.drawn();
        if (Boolean.getBoolean("figures.write")) {
            Files.writeString(figure.picture(), drawn);
        }
        assertThat(figure.picture())
                .as("Draw it by the command in CONTRIBUTING.md, section Documentation")
                .content()
                .isEqualTo(drawn);
    }

    @Test
    void everyDrawnPictureIsOnAPageThatDescribesIt() throws IOException {
        Set<String> described = new TreeSet<>();
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md")).forEach(page -> described.addAll(describedOn(page)));
        }
        assertThat(described)
                .containsAll(Figure.in(FOLDER).stream()
                        .map(figure -> figure.picture().getFileName().toString())
                        .toList());
    }

    private static List<String> describedOn(Path page) {
        return PICTURE.matcher(text(page))
                .results()
                .filter(picture -> picture.group(1).length() >= SHORTEST_DESCRIPTION)
                .map(picture -> Path.of(picture.group(2)).getFileName().toString())
                .toList();
    }

    private static String text(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void anUnknownStatementIsRefused() {
        assertThatThrownBy(() -> figure("boxes x", "circle").drawn()).hasMessageContaining("circle");
        assertThatThrownBy(() -> figure("sequence x", "line a A", "a > b : c").drawn())
                .hasMessageContaining("b");
        assertThatThrownBy(() -> figure("pie x").drawn()).hasMessageContaining("pie");
    }

    private static Figure figure(String... lines) {
        return Figure.of(Path.of("x.figure.txt"), List.of(lines));
    }
}
