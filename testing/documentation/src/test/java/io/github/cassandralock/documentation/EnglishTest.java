package io.github.cassandralock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Comments and messages of published code, and pages for users, follow those rules of CONTRIBUTING that a test can check. */
class EnglishTest {

    /** Parts between semicolons are items of a list, and counted one by one. */
    private static final int MOST_WORDS = 20;

    /** What people do, and code does not. */
    private static final Pattern VERBS = Pattern.compile(
            "\\b(?:lets?|letting|tells?|told|says?|said|knows?|knew|known|believes?|wants?|wanted|learns?|learned|asks?|asked|asking)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern ELLIPSES = Pattern.compile(
            "\\b[Ss]o (?:does|do|is|are|can)\\b|\\b(?:is|are) one, too\\b|\\bthe other one\\b|\\b(?:do|does|doing|done) so\\b"
                    + "|\\bthe same as\\b|\\b[Aa]lso if\\b|\\bstops at the start\\b|^The same\\b|^Also\\b|^So\\b"
                    + "|\\b(?:[Tt]hat|[Tt]hose) of\\b|\\b[Tt]his one\\b|\\b[Tt]hat one(?=$|[.,;:)])");

    private static final List<String> MODULES = List.of(
            "cassandra-lock-core",
            "cassandra-lock-adapters",
            "cassandra-lock-kotlin",
            "cassandra-lock-spring-boot-autoconfigure",
            "cassandra-lock-test",
            "local-cassandra",
            "startup-support",
            "exactly-once",
            "exactly-once-spring-boot-autoconfigure");

    @Test
    void commentsOfPublishedCodeFollowTheRules() {
        List<String> sentences = MODULES.stream()
                .flatMap(EnglishTest::sources)
                .flatMap(source -> Sentences.ofComments(Page.textOf(source)).stream())
                .toList();
        assertThat(sentences).as("all sentences").hasSizeGreaterThan(2_000);
        assertThat(violations(sentences.stream(), MOST_WORDS)).isEmpty();
    }

    @Test
    void pagesForUsersFollowTheRules() {
        Stream<String> sentences = Page.all().stream()
                .filter(page -> WordsTest.isForUsers(page.name()))
                .flatMap(page -> Sentences.ofPage(page.prose()).stream());
        assertThat(violations(sentences, MOST_WORDS)).isEmpty();
    }

    @Test
    void messagesFollowTheRules() {
        List<String> messages = MODULES.stream()
                .flatMap(EnglishTest::sources)
                .flatMap(source -> Sentences.ofMessages(Page.textOf(source)).stream())
                .toList();
        assertThat(messages).as("all messages").hasSizeGreaterThan(500);
        assertThat(violations(messages.stream(), MOST_WORDS)).isEmpty();
    }

    @Test
    void descriptionsOfPropertiesFollowTheRules() throws IOException {
        Pattern description = Pattern.compile("\"(?:description|reason)\": \"([^\"]+)\"");
        List<String> sentences = new ArrayList<>();
        for (String module : MODULES) {
            Path file = Page.root()
                    .resolve(module)
                    .resolve("src/main/resources/META-INF/additional-spring-configuration-metadata.json");
            if (Files.exists(file)) {
                description
                        .matcher(Files.readString(file))
                        .results()
                        .forEach(match -> sentences.addAll(Sentences.ofPage(List.of(match.group(1)))));
            }
        }
        assertThat(sentences).isNotEmpty();
        assertThat(violations(sentences.stream(), MOST_WORDS)).isEmpty();
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
        assertThat(violations(Sentences.ofComments(source).stream(), MOST_WORDS))
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
        assertThat(violations(Sentences.ofComments(source).stream(), MOST_WORDS))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "f(\"Lock '\" + id() + \"' is taken by \" + name(a, b(c)) + \", as it wants.\");",
                "f(\"Words 2 3 4 5 6 7 8 9 10 {} 12 13 14 15 16\"\n+ \" 17 18 19 20 21\");",
                "f(\"Words 2 3 4 5 6 7 8 9 \" + ten + \" 11 12 13 14 15 16 17 18 19 20 21\");",
                "f(\"A frame was refused. Also the connection was closed\");",
                "f(\"The lock is on this one, \" + a + \" and is free\");"
            })
    void badSentenceOfAMessageIsReported(String source) {
        assertThat(violations(Sentences.ofMessages(source).stream(), MOST_WORDS))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "f(\"Words 2 3 4 5 6 7 8 9 10. Words 2 3 4 5 6 7 8 9 \" + ten + \" 11\");",
                "f(\"SELECT a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t FROM locks\");",
                "// \"It wants the lock\""
            })
    void goodSentenceOfAMessageIsNotReported(String source) {
        assertThat(violations(Sentences.ofMessages(source).stream(), MOST_WORDS))
                .isEmpty();
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
