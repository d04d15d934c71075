package io.github.cassandralock.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One page of the documentation, as far as tests look at it.
 *
 * @param name the path, relative to the project, with slashes
 * @param lines of the whole file
 * @param blocks the fenced blocks
 * @param prose the lines outside the blocks; those inside are empty, so that indexes are those of {@code lines}
 */
record Page(String name, List<String> lines, List<CodeBlock> blocks, List<String> prose) {

    private static final Path ROOT = Path.of(System.getProperty("documentation.root", "../.."))
            .toAbsolutePath()
            .normalize();

    private static final Pattern FENCE = Pattern.compile("^( *)```(.*)$");
    private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.*)$");

    /** All pages: those of the site, and those beside the code. */
    static List<Page> all() {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            Stream<Path> besides = Stream.of(
                            "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "local-cassandra/README.md")
                    .map(ROOT::resolve);
            return Stream.concat(besides, docs.filter(file -> file.toString().endsWith(".md")))
                    .sorted()
                    .map(Page::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All fenced blocks in these languages. */
    static List<CodeBlock> blocks(String... languages) {
        List<String> wanted = List.of(languages);
        return all().stream()
                .flatMap(page -> page.blocks().stream())
                .filter(block -> wanted.contains(block.language()))
                .toList();
    }

    static Path root() {
        return ROOT;
    }

    static String textOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Page read(Path file) {
        return of(ROOT.relativize(file).toString().replace('\\', '/'), textOf(file));
    }

    static Page of(String name, String text) {
        List<String> lines = text.lines().toList();
        List<CodeBlock> blocks = new ArrayList<>();
        List<String> prose = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher fence = FENCE.matcher(lines.get(i));
            if (fence.matches()) {
                int end = endOfBlock(lines, i + 1, fence.group(1) + "```");
                blocks.add(block(name, lines.subList(i + 1, end), i + 2, fence));
                for (; i < end; i++) {
                    prose.add("");
                }
                prose.add("");
            } else {
                prose.add(lines.get(i));
            }
        }
        return new Page(name, lines, blocks, prose);
    }

    private static int endOfBlock(List<String> lines, int from, String fence) {
        int end = from;
        while (end < lines.size() && !lines.get(end).equals(fence)) {
            end++;
        }
        return end;
    }

    private static CodeBlock block(String name, List<String> lines, int line, Matcher fence) {
        int indentation = fence.group(1).length();
        List<String> text = lines.stream()
                .map(each -> each.isBlank() ? "" : each.substring(Math.min(indentation, each.length())))
                .toList();
        return new CodeBlock(name, line, fence.group(2).trim(), String.join("\n", text) + "\n");
    }

    /** The names of its headings in links. GitHub and MkDocs must agree on them. */
    List<String> anchors() {
        return prose.stream()
                .map(HEADING::matcher)
                .filter(Matcher::matches)
                .map(heading -> anchor(heading.group(1)))
                .toList();
    }

    private static String anchor(String heading) {
        return heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                .replaceAll("[^\\w\\s-]", "")
                .trim()
                .toLowerCase(Locale.ROOT)
                .replaceAll("\\s", "-");
    }
}
