package io.github.cassandralock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Comments of published code, and pages for users, follow those rules of CONTRIBUTING that a test can check. */
class EnglishTest {

    /** Parts between semicolons are items of a list, and counted one by one. */
    private static final int MOST_WORDS_OF_A_COMMENT = 20;

    private static final int MOST_WORDS_OF_A_PAGE = 30;

    /** What people do, and code does not. */
    private static final Pattern VERBS = Pattern.compile(
            "\\b(?:lets?|letting|tells?|told|says?|said|knows?|knew|known|believes?|wants?|wanted|learns?|learned)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern ELLIPSES = Pattern.compile(
            "\\b[Ss]o (?:does|do|is|are|can)\\b|\\b(?:is|are) one, too\\b|\\bthe other one\\b|\\b(?:do|does|doing|done) so\\b"
                    + "|\\bthe same as\\b|\\b[Aa]lso if\\b|\\b(?:that|those) of the\\b|^The same\\b|^Also\\b");

    /** The first word of a comment that is not understood without its neighbour. */
    private static final Pattern CONTINUATION = Pattern.compile("^So\\b");

    private static final List<String> MODULES = List.of(
            "cassandra-lock-core",
            "cassandra-lock-adapters",
            "cassandra-lock-kotlin",
            "cassandra-lock-spring-boot-autoconfigure",
            "cassandra-lock-test",
            "local-cassandra",
            "startup-support");

    private static final List<String> PAGES = List.of(
            "README.md",
            "docs/index.md",
            "docs/getting-started.md",
            "docs/comparison.md",
            "docs/operations.md",
            "docs/troubleshooting.md");

    @Test
    void commentsOfPublishedCodeFollowTheRules() {
        List<String> sentences = MODULES.stream()
                .flatMap(EnglishTest::sources)
                .flatMap(source -> Sentences.ofComments(Page.textOf(source)).stream())
                .toList();
        assertThat(sentences).as("all sentences").hasSizeGreaterThan(2_000);
        assertThat(violations(sentences.stream(), MOST_WORDS_OF_A_COMMENT)).isEmpty();
        assertThat(sentences.stream().filter(CONTINUATION.asPredicate())).isEmpty();
    }

    @Test
    void pagesForUsersFollowTheRules() {
        Stream<String> sentences = Page.all().stream()
                .filter(page -> PAGES.contains(page.name()) || isOfTheGuide(page.name()))
                .flatMap(page -> Sentences.ofPage(page.prose()).stream());
        assertThat(violations(sentences, MOST_WORDS_OF_A_PAGE)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/** Tells the waiter that its turn has come. */",
                "/**\n * It is released.\n * So is that\n * lock. */",
                "// The slot is free.\n// The same in the next attempt.",
                "int a = 1; // also if it is taken",
                "/** @return the mode, as the other one has it */",
                "/** A. <ul><li>It is known later. </ul> */",
                "String text = \"/*\"; // it wants the lock",
                "/** One two three four five six seven eight nine ten one two three four five six seven eight nine ten one. */"
            })
    void badSentenceOfACommentIsReported(String source) {
        assertThat(violations(Sentences.ofComments(source).stream(), MOST_WORDS_OF_A_COMMENT))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/** The slot is free. {@code The same} lock is taken, see {@link Lock#let() the method}. */",
                "String text = \"// it tells\"; char quote = '\"'; // The lock is free",
                "/* <pre>So it is</pre> */",
                "/** One two three four five six seven eight nine ten one; two three four five six seven eight nine ten. */"
            })
    void goodSentenceOfACommentIsNotReported(String source) {
        assertThat(violations(Sentences.ofComments(source).stream(), MOST_WORDS_OF_A_COMMENT))
                .isEmpty();
    }

    private static boolean isOfTheGuide(String page) {
        return page.startsWith("docs/guide/");
    }

    private static Set<String> violations(Stream<String> sentences, int mostWords) {
        Set<String> violations = new TreeSet<>();
        sentences
                .filter(sentence -> VERBS.matcher(sentence).find()
                        || ELLIPSES.matcher(sentence).find()
                        || words(sentence) > mostWords)
                .forEach(violations::add);
        return violations;
    }

    private static long words(String sentence) {
        return Arrays.stream(sentence.split(";", -1))
                .mapToLong(part -> Arrays.stream(part.split(" ", -1))
                        .filter(word -> word.chars().anyMatch(Character::isLetterOrDigit))
                        .count())
                .max()
                .orElse(0);
    }

    private static Stream<Path> sources(String module) {
        try (Stream<Path> files = Files.walk(Page.root().resolve(module).resolve("src/main"))) {
            return files
                    .filter(file ->
                            file.toString().endsWith(".java") || file.toString().endsWith(".kt"))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
