package io.github.cassandralock.exactlyonce.autoconfigure;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

/**
 * The keys under {@code exactly-once.queues}. Spring Boot may bind a name without brackets as another name. It takes a dot for the
 * end of the name, and ignores the rest. It drops colons, and reads environment variables in lower case.
 */
final class QueueKeys {

    private static final ConfigurationPropertyName QUEUES = ConfigurationPropertyName.of("exactly-once.queues");

    private QueueKeys() {}

    /**
     * Checks that each key is a name and a property of the queue.
     *
     * @throws InvalidExactlyOncePropertyException if a key has more parts, so that it would configure nothing
     */
    static void requireBound(Environment environment) {
        ConfigurationPropertySources.get(environment).forEach(source -> {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                iterable.stream()
                        .filter(QUEUES::isAncestorOf)
                        .filter(key -> key.getNumberOfElements() > QUEUES.getNumberOfElements() + 2)
                        .findFirst()
                        .ifPresent(key -> {
                            throw boundToNothing(key);
                        });
            }
        });
    }

    private static InvalidExactlyOncePropertyException boundToNothing(ConfigurationPropertyName key) {
        int last = key.getNumberOfElements() - 1;
        String name = IntStream.range(QUEUES.getNumberOfElements(), last)
                .mapToObj(part -> key.getElement(part, Form.ORIGINAL))
                .collect(Collectors.joining("."));
        String property = key.getElement(last, Form.ORIGINAL);
        return new InvalidExactlyOncePropertyException(
                "queues." + name + "." + property,
                "set",
                "it would configure nothing, since a dot ends the name of a queue that is not in brackets",
                "Write the key as 'exactly-once.queues[" + name + "]." + property
                        + "'; in application.yml, below 'queues:', as '\"[" + name + "]\":'.",
                null);
    }

    /**
     * Checks that a queue without configuration is not the one that a key was written for.
     *
     * @param configured the names that keys were bound as
     * @param queue that none of them names
     * @throws InvalidExactlyOncePropertyException if one of them differs by case and special characters only
     */
    static void requireNoOther(Set<String> configured, String queue) {
        configured.stream()
                .filter(name -> lettersAndDigits(name).equals(lettersAndDigits(queue)))
                .findFirst()
                .ifPresent(name -> {
                    throw new InvalidExactlyOncePropertyException(
                            "queues." + name,
                            "set",
                            "the application uses a queue '" + queue
                                    + "' that has no configuration. A key without brackets is bound without its special"
                                    + " characters, or in lower case",
                            "Write the key as 'exactly-once.queues[" + queue
                                    + "]'; in application.yml, below 'queues:', as '\"[" + queue
                                    + "]\":'. If these are two queues, configure '" + queue + "' in that way, too.",
                            null);
                });
    }

    private static String lettersAndDigits(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }
}
