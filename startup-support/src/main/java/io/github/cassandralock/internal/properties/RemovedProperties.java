package io.github.cassandralock.internal.properties;

import io.github.cassandralock.internal.startup.ExplainedException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Stops the start of an application that sets properties which have been removed or renamed. Spring Boot would ignore them. The
 * message lists all of them, with the places where they are set.
 *
 * @param all the properties that no longer exist
 */
public record RemovedProperties(Environment environment, List<Removed> all) implements BeanFactoryPostProcessor {

    /**
     * A property that no longer exists.
     *
     * @param name in kebab case; an element {@code *} stands for any name
     * @param why completes the sentence that begins with the name
     */
    public record Removed(String name, String why) {

        private static final String ANY = "*";

        /** @param replacement the new name of the property */
        public static Removed renamed(String name, String replacement) {
            return new Removed(name, "is now '" + replacement + "'");
        }

        /** @param reason why no application needs the property */
        public static Removed dropped(String name, String reason) {
            return new Removed(name, "no longer exists: " + reason);
        }

        private Stream<ConfigurationProperty> in(ConfigurationPropertySource source) {
            if (!name.contains(ANY)) {
                return Stream.ofNullable(source.getConfigurationProperty(ConfigurationPropertyName.of(name)));
            }
            return source instanceof IterableConfigurationPropertySource iterable
                    ? iterable.stream().filter(this::matches).map(source::getConfigurationProperty)
                    : Stream.empty();
        }

        private boolean matches(ConfigurationPropertyName configured) {
            String[] pattern = StringUtils.delimitedListToStringArray(name, ".");
            if (configured.getNumberOfElements() != pattern.length) {
                return false;
            }
            for (int i = 0; i < pattern.length; i++) {
                if (!pattern[i].equals(ANY)
                        && !pattern[i].replace("-", "").equals(configured.getElement(i, Form.UNIFORM))) {
                    return false;
                }
            }
            return true;
        }

        private String line(ConfigurationProperty property) {
            return "'" + property.getName() + "' " + why
                    + Optional.ofNullable(property.getOrigin())
                            .map(origin -> " (set by " + origin + ")")
                            .orElse("");
        }
    }

    /** @throws ExplainedException if one of the properties is set */
    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        String found = all.stream()
                .flatMap(removed -> StreamSupport.stream(
                                ConfigurationPropertySources.get(environment).spliterator(), false)
                        .filter(Objects::nonNull)
                        .flatMap(source -> removed.in(source).map(removed::line)))
                .distinct()
                .collect(Collectors.joining("\n    "));
        if (!found.isEmpty()) {
            throw new ExplainedException(
                    "The configuration sets properties that have no effect:\n\n    " + found,
                    "Write the new name of each property that was renamed, and remove the others.");
        }
    }
}
