package io.github.cassandralock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.autoconfigure.CassandraLockProperties;
import io.github.cassandralock.exactlyonce.autoconfigure.ExactlyOnceProperties;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

/**
 * The configuration in the documentation can be read, its keys exist, and an application would start with its values. Costs a second;
 * catches properties that were renamed, removed, or never documented.
 */
class ConfigurationTest {

    private static final Pattern KEY_IN_TEXT =
            Pattern.compile("`((?:cassandra-lock|exactly-once)\\.[a-z][a-z.-]*[a-z])");

    private final KnownProperties known = new KnownProperties();

    @TestFactory
    Stream<DynamicTest> everyKeyOfABlockExistsAndItsValueIsAccepted() {
        return Page.blocks("yaml", "properties").stream()
                .map(block -> DynamicTest.dynamicTest(block.place(), () -> {
                    List<EnumerablePropertySource<?>> sources = read(block);
                    assertThat(sources).isNotEmpty();
                    assertThat(unknownKeys(sources)).isEmpty();
                    sources.forEach(ConfigurationTest::bind);
                }));
    }

    @Test
    void aKeyThatDoesNotExistIsFound() {
        CodeBlock block = new CodeBlock(
                "page.md", 1, "yaml", "cassandra-lock:\n  leese: 15s\n  lease: 15s\nlogging.level.a.b: debug\n");
        assertThat(unknownKeys(read(block))).containsExactly("cassandra-lock.leese");
        CodeBlock locker = new CodeBlock("page.md", 1, "yaml", "cassandra-lock.lockers.a: {leese: 15s, lease: 15s}\n");
        assertThat(unknownKeys(read(locker))).containsExactly("cassandra-lock.lockers.a.leese");
    }

    @Test
    void everyKeyThatTheTextNamesExists() {
        List<String> unknown = new ArrayList<>();
        for (Page page : Page.all()) {
            for (int line = 0; line < page.prose().size(); line++) {
                String place = page.name() + ":" + (line + 1) + " ";
                KEY_IN_TEXT
                        .matcher(page.prose().get(line))
                        .results()
                        .map(match -> match.group(1))
                        .filter(key -> !known.contains(key) && !known.containsGroup(key))
                        .forEach(key -> unknown.add(place + key));
            }
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    void everyPropertyOfTheLocksIsInTheTableOfProperties() {
        String page = Page.textOf(Page.root().resolve("docs/guide/configuration.md"));
        TreeSet<String> missing = new TreeSet<>(known.ofLocks());
        missing.removeIf(key -> page.contains("`" + key + "`"));
        assertThat(known.ofLocks()).isNotEmpty();
        assertThat(missing).isEmpty();
    }

    /** Those below a handler or a queue are written with its name in between. */
    @Test
    void everyPropertyOfExactlyOnceIsInItsTableOfProperties() {
        String page = Page.textOf(Page.root().resolve("docs/guide/exactly-once.md"));
        TreeSet<String> missing = new TreeSet<>(known.ofExactlyOnce());
        missing.removeIf(
                key -> page.contains("`" + key + "`") || (known.isMap(key) && page.contains("`" + key + ".<name>.")));
        assertThat(known.ofExactlyOnce()).isNotEmpty();
        assertThat(missing).isEmpty();
    }

    private List<String> unknownKeys(List<EnumerablePropertySource<?>> sources) {
        return sources.stream()
                .flatMap(source -> Stream.of(source.getPropertyNames()))
                .filter(key -> !known.contains(key))
                .toList();
    }

    /** Fails if a value is outside its bounds. */
    private static void bind(PropertySource<?> source) {
        MutablePropertySources sources = new MutablePropertySources();
        sources.addFirst(source);
        Binder binder = new Binder(
                ConfigurationPropertySources.from(sources), new PropertySourcesPlaceholdersResolver(sources));
        binder.bindOrCreate("cassandra-lock", CassandraLockProperties.class).afterPropertiesSet();
        binder.bind("cassandra-lock.lockers", Bindable.mapOf(String.class, CassandraLockProperties.class))
                .ifBound(lockers -> lockers.values().forEach(CassandraLockProperties::afterPropertiesSet));
        binder.bindOrCreate("exactly-once", ExactlyOnceProperties.class);
    }

    private static List<EnumerablePropertySource<?>> read(CodeBlock block) {
        Resource text = new ByteArrayResource(block.text().getBytes(StandardCharsets.UTF_8));
        try {
            List<PropertySource<?>> sources = block.language().equals("yaml")
                    ? new YamlPropertySourceLoader().load(block.place(), text)
                    : new PropertiesPropertySourceLoader().load(block.place(), text);
            List<EnumerablePropertySource<?>> result = new ArrayList<>();
            sources.forEach(source -> result.add((EnumerablePropertySource<?>) source));
            return result;
        } catch (IOException e) {
            throw new AssertionError(block.place() + " cannot be read", e);
        }
    }
}
