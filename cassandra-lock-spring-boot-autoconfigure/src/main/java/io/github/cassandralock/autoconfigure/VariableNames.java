package io.github.cassandralock.autoconfigure;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Names of environment variables in which an underscore stands for a dash, such as {@code CASSANDRA_LOCK_PREFIX}. Spring Boot derives
 * a variable from the name of a property. In the other direction, several properties are possible.
 */
final class VariableNames {

    private static final ConfigurationPropertyName CASSANDRA = ConfigurationPropertyName.of("cassandra");
    private static final ConfigurationPropertyName LOCKS = CASSANDRA.append("lock");

    /** Each further element doubles the readings. No property has so many. */
    private static final int MOST_ELEMENTS = 8;

    private VariableNames() {}

    /**
     * Returns what follows the prefix in the name of a variable.
     *
     * @param prefix begins with {@code cassandra-lock}
     * @return empty if the name does not begin with the prefix, or the source has no variables
     */
    static Optional<ConfigurationPropertyName> below(
            ConfigurationPropertySource source, ConfigurationPropertyName prefix, ConfigurationPropertyName variable) {
        if (!CASSANDRA.isAncestorOf(variable)
                || !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
            return Optional.empty();
        }
        ConfigurationPropertyName rest = prefix.subName(1);
        return Stream.of(LOCKS.append(rest), LOCKS.append(withoutDashes(rest)))
                .filter(candidate -> candidate.isAncestorOf(variable))
                .map(candidate -> variable.subName(candidate.getNumberOfElements()))
                .findFirst();
    }

    private static ConfigurationPropertyName withoutDashes(ConfigurationPropertyName name) {
        return ConfigurationPropertyName.of(name.toString().replace('-', '.'));
    }

    /** Whether the elements begin with the elements of a name with dashes. */
    static boolean begins(ConfigurationPropertyName variable, String nameWithDashes) {
        return withoutDashes(ConfigurationPropertyName.adapt(nameWithDashes, '.'))
                .isAncestorOf(variable);
    }

    /** Returns all names that a variable may stand for. */
    static List<ConfigurationPropertyName> readings(ConfigurationPropertyName variable) {
        if (variable.getNumberOfElements() > MOST_ELEMENTS) {
            return List.of(variable);
        }
        List<String> readings = List.of(element(variable, 0));
        for (int i = 1; i < variable.getNumberOfElements(); i++) {
            String element = element(variable, i);
            List<String> separators = separators(variable, i);
            readings = readings.stream()
                    .flatMap(reading -> separators.stream().map(separator -> reading + separator + element))
                    .toList();
        }
        return readings.stream().map(ConfigurationPropertyName::of).toList();
    }

    private static List<String> separators(ConfigurationPropertyName variable, int i) {
        if (variable.isNumericIndex(i)) {
            return List.of("");
        }
        return variable.isNumericIndex(i - 1) ? List.of(".") : List.of(".", "-");
    }

    private static String element(ConfigurationPropertyName variable, int i) {
        String element = variable.getElement(i, ConfigurationPropertyName.Form.UNIFORM);
        return variable.isNumericIndex(i) ? "[" + element + "]" : element;
    }
}
