package io.github.cassandralock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/**
 * What the documentation says to builds: dependencies name artifacts of this project with its version, and commands name its modules,
 * profiles and tests. Costs nothing; catches what was renamed, and versions that were forgotten at a release.
 */
class BuildTest {

    private static final String GROUP = "io.github.cassandralock";
    private static final String VERSION = System.getProperty("documentation.version", "");
    private static final Pattern COORDINATES = Pattern.compile(Pattern.quote(GROUP) + ":([\\w-]+)(?::([\\w.-]+))?");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern PHASE_OR_GOAL = Pattern.compile(
            "validate|compile|test-compile|process-test-classes|test|package|verify|install|deploy|clean|[a-z-]+:[A-Za-z-]+(?:@[a-z-]+)?");

    @TestFactory
    Stream<DynamicTest> everyDependencyOnThisProjectExists() {
        return Page.blocks("xml", "kotlin").stream()
                .map(block -> DynamicTest.dynamicTest(
                        block.place(),
                        () -> assertThat(mistakesInDependencies(block)).isEmpty()));
    }

    @TestFactory
    Stream<DynamicTest> everyMavenCommandNamesWhatExists() {
        return Page.blocks("shell").stream()
                .map(block -> DynamicTest.dynamicTest(
                        block.place(),
                        () -> assertThat(mistakesInCommands(block)).isEmpty()));
    }

    @TestFactory
    Stream<DynamicTest> everyCommandInASentenceOrTableNamesWhatExists() {
        return Page.all().stream()
                .map(page -> DynamicTest.dynamicTest(
                        page.name(), () -> assertThat(mistakesInSentences(page)).isEmpty()));
    }

    @Test
    void missingTestInATableIsFound() {
        Page page = Page.of("p", "| `.ci/run && ./mvnw -Pslow verify -Dit.test='NoIT,UpgradeIT'` | `.ci/nothing` |");
        assertThat(mistakesInSentences(page)).containsExactlyInAnyOrder("NoIT", ".ci/nothing");
    }

    /** Commands on the pages skip tests. Maven then makes no such jar by default, and modules that need it cannot be resolved. */
    @Test
    void jarsOfTestsAreMadeEvenIfTestsAreSkipped() {
        List<Path> withJars = modules().stream()
                .filter(pom -> Page.textOf(pom).contains("<goal>test-jar</goal>"))
                .toList();
        assertThat(withJars)
                .isNotEmpty()
                .allSatisfy(pom -> assertThat(executionOfTestJar(pom)).contains("<skip>false</skip>"));
    }

    private static String executionOfTestJar(Path pom) {
        String text = Page.textOf(pom);
        int goal = text.indexOf("<goal>test-jar</goal>");
        return text.substring(goal, text.indexOf("</execution>", goal));
    }

    @Test
    void anOldVersionAndAMissingModuleAreFound() {
        assertThat(mistakesInDependencies(
                        new CodeBlock("p", 1, "kotlin", "\"" + GROUP + ":cassandra-lock-core:0.0.1\"")))
                .hasSize(1);
        assertThat(mistakesInDependencies(new CodeBlock(
                        "p",
                        1,
                        "xml",
                        "<dependency><groupId>" + GROUP + "</groupId><artifactId>x</artifactId></dependency>")))
                .hasSize(1);
        assertThat(mistakesInCommands(
                        new CodeBlock("p", 1, "shell", "./mvnw -pl nowhere -Pnothing verfy -Dtest=NoTest")))
                .hasSize(4);
    }

    private static List<String> mistakesInDependencies(CodeBlock block) {
        List<String> mistakes = new ArrayList<>();
        if (block.language().equals("xml")) {
            NodeList artifacts = parsed(block.text()).getElementsByTagName("artifactId");
            for (int i = 0; i < artifacts.getLength(); i++) {
                Element dependency = (Element) artifacts.item(i).getParentNode();
                if (GROUP.equals(text(dependency, "groupId"))) {
                    check(text(dependency, "artifactId"), text(dependency, "version"), mistakes);
                }
            }
        } else {
            COORDINATES
                    .matcher(block.text())
                    .results()
                    .forEach(found -> check(found.group(1), found.group(2) == null ? "" : found.group(2), mistakes));
        }
        return mistakes;
    }

    private static void check(String artifact, String version, List<String> mistakes) {
        if (!isPublished(artifact)) {
            mistakes.add("There is no published artifact " + artifact);
        }
        if (!version.isEmpty() && !version.equals(VERSION)) {
            mistakes.add(artifact + " has the version " + VERSION + ", not " + version);
        }
    }

    private static boolean isPublished(String module) {
        Path pom = Page.root().resolve(module).resolve("pom.xml");
        return Files.exists(pom) && !Page.textOf(pom).contains("<maven.deploy.skip>true</maven.deploy.skip>");
    }

    private static Document parsed(String fragment) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            String text = fragment.startsWith("<?xml") ? fragment : "<fragment>" + fragment + "</fragment>";
            return factory.newDocumentBuilder().parse(new InputSource(new StringReader(text)));
        } catch (Exception e) {
            throw new AssertionError("Not well-formed: " + e.getMessage(), e);
        }
    }

    private static String text(Element parent, String name) {
        NodeList children = parent.getElementsByTagName(name);
        return children.getLength() == 0
                ? ""
                : children.item(0).getTextContent().trim();
    }

    private static List<String> mistakesInCommands(CodeBlock block) {
        List<String> mistakes = new ArrayList<>();
        block.text()
                .replaceAll("\\\\\n *", "")
                .lines()
                .map(line -> line.replaceAll("\\s+#.*$", ""))
                .filter(line -> line.startsWith("./mvnw "))
                .forEach(line -> checkMaven(Arrays.asList(line.split("\\s+")), mistakes));
        return mistakes;
    }

    private static List<String> mistakesInSentences(Page page) {
        List<String> mistakes = new ArrayList<>();
        page.prose().stream()
                .flatMap(line -> CODE.matcher(line).results())
                .flatMap(code -> Stream.of(code.group(1).split(" && ")))
                .forEach(command -> {
                    if (command.startsWith("./mvnw ")) {
                        checkMaven(Arrays.asList(command.split("\\s+")), mistakes);
                    } else if (command.startsWith(".ci/")
                            && !Files.exists(Page.root().resolve(command))) {
                        mistakes.add(command);
                    }
                });
        return mistakes;
    }

    private static void checkMaven(List<String> words, List<String> mistakes) {
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("-pl")) {
                i++;
                Stream.of(words.get(i).split(","))
                        .filter(module -> !isModule(module))
                        .forEach(mistakes::add);
            } else if (word.startsWith("-P")) {
                Stream.of(word.substring(2).split(","))
                        .filter(profile -> !isProfile(profile))
                        .forEach(mistakes::add);
            } else if (word.startsWith("-Dtest=") || word.startsWith("-Dit.test=")) {
                String names = word.substring(word.indexOf('=') + 1).replace("'", "");
                Stream.of(names.split(",")).filter(name -> !isTest(name)).forEach(mistakes::add);
            } else if (!word.startsWith("-") && !PHASE_OR_GOAL.matcher(word).matches()) {
                mistakes.add(word);
            }
        }
    }

    private static boolean isModule(String name) {
        return Files.exists(Page.root().resolve(name).resolve("pom.xml"));
    }

    private static boolean isProfile(String id) {
        return modules().stream().anyMatch(pom -> Page.textOf(pom).contains("<id>" + id + "</id>"));
    }

    private static List<Path> modules() {
        Path root = Page.root().resolve("pom.xml");
        List<Path> poms = new ArrayList<>(List.of(root));
        Pattern.compile("<module>(.*)</module>")
                .matcher(Page.textOf(root))
                .results()
                .forEach(module -> poms.add(Page.root().resolve(module.group(1)).resolve("pom.xml")));
        return poms;
    }

    private static boolean isTest(String name) {
        Pattern file = Pattern.compile(name.replace("*", ".*") + "\\.java");
        return modules().stream().anyMatch(pom -> {
            Path tests = pom.resolveSibling("src/test/java");
            if (!Files.exists(tests)) {
                return false;
            }
            try (Stream<Path> files = Files.walk(tests)) {
                return files.anyMatch(
                        each -> file.matcher(each.getFileName().toString()).matches());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
