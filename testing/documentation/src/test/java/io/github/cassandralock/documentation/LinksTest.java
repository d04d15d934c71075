package io.github.cassandralock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Links lead somewhere, on GitHub and in the site, whose headings and lists are then also what they are on GitHub. Costs nothing;
 * catches pages and headings that were renamed, which MkDocs 1.4 reports for pages only.
 */
class LinksTest {

    private static final Pattern LINK = Pattern.compile("(?:]\\(|src=\")([^)\\s\"]+)[)\"]");
    private static final Pattern OF_THIS_PROJECT =
            Pattern.compile("https://github\\.com/cassandralock/cassandra-lock/(?:blob|tree)/main/(.*)");
    private static final Pattern NAVIGATION_ENTRY = Pattern.compile("(?m)^ +- [^:]+: (\\S+)$");
    private static final int MOST_ENTRIES = 25;
    private static final Pattern ITEM = Pattern.compile("^ *(?:[-*]|\\d+\\.) .*");

    private final Map<String, Page> pages =
            Page.all().stream().collect(Collectors.toMap(Page::name, Function.identity()));

    @Test
    void everyLinkLeadsToAFileAndToAHeading() {
        List<String> broken = new ArrayList<>();
        pages.values().forEach(page -> {
            for (int line = 0; line < page.prose().size(); line++) {
                Matcher link = LINK.matcher(page.prose().get(line));
                while (link.find()) {
                    if (!leadsSomewhere(page, link.group(1))) {
                        broken.add(page.name() + ":" + (line + 1) + " " + link.group(1));
                    }
                }
            }
        });
        assertThat(broken).isEmpty();
    }

    @Test
    void pagesOfTheSiteLinkToFilesOutsideByTheirAddressOnGitHub() {
        assertThat(pages.values().stream()
                        .filter(page -> page.name().startsWith("docs/"))
                        .flatMap(page -> page.prose().stream()
                                .flatMap(line -> LINK.matcher(line)
                                        .results()
                                        .map(link -> link.group(1))
                                        .filter(target -> !target.matches("[a-z]+:.*"))
                                        .filter(target -> !target(page, target).startsWith("docs/"))
                                        .map(target -> page.name() + " " + target))))
                .isEmpty();
    }

    @Test
    void theNavigationIsShort() {
        assertThat(navigation()).hasSizeLessThanOrEqualTo(MOST_ENTRIES);
    }

    @Test
    void everyPageIsInTheNavigationOrLinkedFromAPageThere() {
        List<String> entries = navigation();
        Set<String> reached = new TreeSet<>();
        pages.values().stream()
                .filter(page -> entries.contains(page.name().replaceFirst("^docs/", "")))
                .forEach(page -> {
                    reached.add(page.name());
                    reached.addAll(pagesLinkedFrom(page));
                });
        assertThat(pages.keySet().stream()
                        .filter(name -> name.startsWith("docs/") && !name.startsWith("docs/decisions/0")))
                .allMatch(reached::contains);
    }

    /** The targets of the navigation: pages relative to {@code docs}, and addresses. */
    private static List<String> navigation() {
        String configuration = Page.textOf(Page.root().resolve("mkdocs.yml"));
        return NAVIGATION_ENTRY
                .matcher(configuration.substring(configuration.indexOf("\nnav:\n")))
                .results()
                .map(entry -> entry.group(1))
                .toList();
    }

    private static List<String> pagesLinkedFrom(Page page) {
        return page.prose().stream()
                .flatMap(line -> LINK.matcher(line).results())
                .map(link -> target(page, link.group(1)).split("#", 2)[0])
                .toList();
    }

    /** Otherwise MkDocs makes one paragraph of both. */
    @Test
    void listsBeginAfterABlankLine() {
        List<String> glued = new ArrayList<>();
        pages.values().stream().filter(page -> page.name().startsWith("docs/")).forEach(page -> {
            boolean inList = false;
            for (int line = 1; line < page.prose().size(); line++) {
                String before = page.prose().get(line - 1);
                boolean item = ITEM.matcher(page.prose().get(line)).matches();
                inList = ITEM.matcher(before).matches() || (inList && !before.isBlank());
                if (item && !inList && !before.isBlank()) {
                    glued.add(page.name() + ":" + (line + 1));
                }
            }
        });
        assertThat(glued).isEmpty();
    }

    private boolean leadsSomewhere(Page page, String link) {
        Matcher own = OF_THIS_PROJECT.matcher(link);
        if (own.matches()) {
            return exists(own.group(1));
        }
        return link.matches("[a-z]+:.*") || exists(target(page, link));
    }

    /** The path from the project's root, with the heading. */
    private static String target(Page page, String link) {
        if (link.startsWith("#")) {
            return page.name() + link;
        }
        Path parent = Path.of(page.name()).getParent();
        return (parent == null ? Path.of(link) : parent.resolve(link))
                .normalize()
                .toString()
                .replace('\\', '/');
    }

    private boolean exists(String target) {
        String[] fileAndHeading = target.split("#", 2);
        Page page = pages.get(fileAndHeading[0]);
        if (page != null && fileAndHeading.length == 2) {
            // MkDocs makes one hyphen of several, GitHub does not.
            return page.anchors().contains(fileAndHeading[1]) && !fileAndHeading[1].contains("--");
        }
        return Files.exists(Page.root().resolve(fileAndHeading[0]));
    }
}
