package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.startup.CqlName;
import io.github.cassandralock.internal.startup.ExplainedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.AbstractEnvironment;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;

/**
 * The environment of a named locker: the application's environment, in which {@code cassandra-lock.*} has the values of {@code
 * cassandra-lock.lockers.<name>.*}. A locker inherits what its name does not set, with the exceptions of {@link #inherited}.
 */
public final class LockerEnvironment extends AbstractEnvironment {

    private static final ConfigurationPropertyName LOCKS = ConfigurationPropertyName.of("cassandra-lock");
    private static final ConfigurationPropertyName LOCKERS = LOCKS.append("lockers");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9-]*");

    /** Two lockers cannot have one of these together. */
    private static final List<ConfigurationPropertyName> NEVER_INHERITED =
            names("lockers", "enabled", "notices.port", "notices.advertised-address", "shedlock.enabled");

    /** ShedLock refuses jobs that name no provider as soon as the application has two, even if one is primary. */
    private static final ConfigurationPropertyName OFF_BY_DEFAULT = ConfigurationPropertyName.of("shedlock.enabled");

    /** Either all of these are inherited, or none: they choose one session. */
    private static final List<ConfigurationPropertyName> SESSION =
            names("session-bean", "template-bean", "contact-points", "local-datacenter", "username", "password");

    private static final List<ConfigurationPropertyName> OF_CONTACT_POINTS =
            names("local-datacenter", "username", "password");

    private static final List<ConfigurationPropertyName> CLUSTERS = names("majority.clusters");

    private final LockerName locker;

    private LockerEnvironment(String name, Map<ConfigurationPropertyName, Object> values, Environment application) {
        this.locker = new LockerName(name, false);
        Map<String, Object> properties = new LinkedHashMap<>();
        values.forEach(
                (relative, value) -> properties.put(LOCKS.append(relative).toString(), value));
        getPropertySources().addLast(new MapPropertySource("cassandra-lock.lockers." + name, properties));
        getPropertySources().addLast(new WithoutLocks(application));
        setActiveProfiles(application.getActiveProfiles());
        ConfigurationPropertySources.attach(this);
    }

    /** Returns the environment of a locker. */
    public static LockerEnvironment of(String name, Environment application) {
        return new LockerEnvironment(name, values(name, application), application);
    }

    LockerName locker() {
        return locker;
    }

    /**
     * Returns the names below {@code cassandra-lock.lockers} that are not switched off, in their order.
     *
     * @throws ExplainedException if a name cannot be the name of a locker
     */
    public static List<String> names(Environment application) {
        Map<ConfigurationPropertyName, String> found = new LinkedHashMap<>();
        for (IterableConfigurationPropertySource source : sources(application)) {
            forEach(source, name -> rest(LOCKERS, name), (relative, property) -> {
                String name = relative.getElement(0, ConfigurationPropertyName.Form.ORIGINAL);
                found.merge(relative.chop(1), name, (one, other) -> one.length() < other.length() ? other : one);
            });
        }
        for (IterableConfigurationPropertySource source : sources(application)) {
            forEach(source, name -> VariableNames.below(source, LOCKERS, name), (variable, property) -> {
                if (found.values().stream().noneMatch(name -> VariableNames.begins(variable, name))) {
                    found.putIfAbsent(
                            variable.chop(1), variable.getElement(0, ConfigurationPropertyName.Form.ORIGINAL));
                }
            });
        }
        found.values().forEach(LockerEnvironment::requireName);
        return found.values().stream()
                .sorted()
                .filter(name -> Binder.get(application)
                        .bind(prefix(name).append("enabled"), Bindable.of(Boolean.class))
                        .orElse(true))
                .toList();
    }

    private static void requireName(String name) {
        if (!NAME.matcher(name).matches() || name.equals(LockerName.MAIN)) {
            throw new ExplainedException(
                    "The property 'cassandra-lock.lockers." + name + "' names a locker '" + name + "', but "
                            + (name.equals(LockerName.MAIN)
                                    ? "that is the name of the locker of 'cassandra-lock.*' in meters and in the endpoint."
                                    : "a name is made of letters, digits and '-', and begins with a letter."),
                    "Give the locker another name in application.yml, for example 'cassandra-lock.lockers.billing'.");
        }
    }

    private static ConfigurationPropertyName prefix(String name) {
        return ConfigurationPropertyName.adapt(LOCKERS + "." + name, '.');
    }

    /**
     * The values below {@code cassandra-lock} that a locker has, by their names without this prefix. A value that is empty for the
     * name is not set, and is not inherited.
     */
    private static Map<ConfigurationPropertyName, Object> values(String name, Environment application) {
        Map<ConfigurationPropertyName, Object> own = below(prefix(name), application);
        Map<ConfigurationPropertyName, Object> all = new LinkedHashMap<>(own);
        below(LOCKS, application).forEach((relative, value) -> {
            if (inherited(relative, own)) {
                all.putIfAbsent(relative, value);
            }
        });
        all.putIfAbsent(OFF_BY_DEFAULT, "false");
        own.forEach((relative, value) -> {
            if (value.toString().isBlank()) {
                all.remove(relative);
            }
        });
        requireContactPoints(name, own, all);
        return all;
    }

    /** Without contact points, the session is one of the application's, which has its own data centre and user. */
    private static void requireContactPoints(
            String name, Map<ConfigurationPropertyName, ?> own, Map<ConfigurationPropertyName, ?> all) {
        if (all.keySet().stream().anyMatch(relative -> isIn(names("contact-points"), relative))) {
            return;
        }
        own.keySet().stream()
                .filter(relative -> all.containsKey(relative) && isIn(OF_CONTACT_POINTS, relative))
                .findFirst()
                .ifPresent(relative -> {
                    String locker = "cassandra-lock.lockers." + name;
                    throw new ExplainedException(
                            "The property '" + locker + "." + relative
                                    + "' is set, but the locker has no contact points of its own. The locker would use"
                                    + " a session of the application, without this value.",
                            "Set '" + locker + ".contact-points' in application.yml, or remove the property.");
                });
    }

    private static boolean inherited(ConfigurationPropertyName relative, Map<ConfigurationPropertyName, ?> own) {
        return !isIn(NEVER_INHERITED, relative)
                && isInheritedAsAWhole(SESSION, relative, own)
                && isInheritedAsAWhole(CLUSTERS, relative, own);
    }

    private static boolean isInheritedAsAWhole(
            List<ConfigurationPropertyName> group,
            ConfigurationPropertyName relative,
            Map<ConfigurationPropertyName, ?> own) {
        return !isIn(group, relative) || own.keySet().stream().noneMatch(name -> isIn(group, name));
    }

    private static boolean isIn(List<ConfigurationPropertyName> names, ConfigurationPropertyName relative) {
        return names.stream().anyMatch(name -> name.equals(relative) || name.isAncestorOf(relative));
    }

    /**
     * Returns what decides where a locker has its locks. Two lockers with equal values would have the same locks. A thread that
     * takes a lock by both would wait for itself.
     *
     * @param name {@link LockerName#MAIN} for the locker without a name
     */
    public static Map<ConfigurationPropertyName, String> place(String name, Environment application) {
        Map<ConfigurationPropertyName, Object> values =
                name.equals(LockerName.MAIN) ? below(LOCKS, application) : values(name, application);
        Map<ConfigurationPropertyName, String> place = new HashMap<>();
        String ofSession = application.getProperty("spring.cassandra.keyspace-name");
        if (ofSession != null) {
            place.put(ConfigurationPropertyName.of("keyspace"), ofSession);
        }
        values.forEach((relative, value) -> {
            if (isIn(SESSION, relative) || isIn(CLUSTERS, relative) || isIn(names("keyspace", "prefix"), relative)) {
                place.put(relative, value.toString());
            }
        });
        place.computeIfPresent(ConfigurationPropertyName.of("keyspace"), (key, keyspace) -> internal(keyspace));
        return place;
    }

    /**
     * Returns the name of a keyspace as Cassandra stores it: in lower case if the text has no double quotes. A text that is no name
     * is returned unchanged, because another check refuses it.
     */
    private static String internal(String keyspace) {
        try {
            return CqlName.of(keyspace).asInternal();
        } catch (IllegalArgumentException e) {
            return keyspace;
        }
    }

    /** The values below a name, by what follows it. Of several sources, the first has priority. */
    private static Map<ConfigurationPropertyName, Object> below(
            ConfigurationPropertyName prefix, Environment application) {
        Map<ConfigurationPropertyName, Object> values = new LinkedHashMap<>();
        Set<ConfigurationPropertyName> taken = new HashSet<>();
        for (IterableConfigurationPropertySource source : sources(application)) {
            Set<ConfigurationPropertyName> ofSource = new HashSet<>();
            BiConsumer<ConfigurationPropertyName, ConfigurationProperty> add = (relative, property) -> {
                Set<ConfigurationPropertyName> whole = wholes(relative);
                ofSource.addAll(whole);
                if (Collections.disjoint(taken, whole)) {
                    values.putIfAbsent(relative, resolved(property.getValue(), application));
                }
            };
            forEach(source, name -> rest(prefix, name), add);
            forEach(
                    source,
                    name -> VariableNames.below(source, prefix, name),
                    (variable, property) ->
                            VariableNames.readings(variable).forEach(relative -> add.accept(relative, property)));
            taken.addAll(ofSource);
        }
        return values;
    }

    /** A value, and each list that it belongs to. Spring Boot takes each of them from one source. */
    private static Set<ConfigurationPropertyName> wholes(ConfigurationPropertyName relative) {
        Set<ConfigurationPropertyName> wholes = new HashSet<>(Set.of(relative));
        for (int index = 1; index < relative.getNumberOfElements(); index++) {
            if (relative.isNumericIndex(index)) {
                wholes.add(relative.chop(index));
            }
        }
        return wholes;
    }

    private static Object resolved(Object value, Environment application) {
        return value instanceof CharSequence text ? application.resolvePlaceholders(text.toString()) : value;
    }

    /** @param relative what follows a prefix in a name; empty if the name does not begin with the prefix */
    private static void forEach(
            IterableConfigurationPropertySource source,
            Function<ConfigurationPropertyName, Optional<ConfigurationPropertyName>> relative,
            BiConsumer<ConfigurationPropertyName, ConfigurationProperty> each) {
        source.stream()
                .forEach(name -> relative.apply(name).ifPresent(below -> {
                    ConfigurationProperty property = source.getConfigurationProperty(name);
                    if (property != null) {
                        each.accept(below, property);
                    }
                }));
    }

    private static Optional<ConfigurationPropertyName> rest(
            ConfigurationPropertyName prefix, ConfigurationPropertyName name) {
        return prefix.isAncestorOf(name) ? Optional.of(name.subName(prefix.getNumberOfElements())) : Optional.empty();
    }

    /** The sources of the application's properties, the first ones with priority. */
    private static List<IterableConfigurationPropertySource> sources(Environment application) {
        List<IterableConfigurationPropertySource> iterable = new ArrayList<>();
        if (application instanceof ConfigurableEnvironment) {
            for (ConfigurationPropertySource source : ConfigurationPropertySources.get(application)) {
                if (source instanceof IterableConfigurationPropertySource found) {
                    iterable.add(found);
                }
            }
        }
        return iterable;
    }

    private static List<ConfigurationPropertyName> names(String... names) {
        return Arrays.stream(names).map(ConfigurationPropertyName::of).toList();
    }

    /**
     * The application's properties, without the properties of the locks. Its source is no environment, whose own sources would be
     * searched.
     */
    private static final class WithoutLocks extends PropertySource<Object> {

        private static final Predicate<String> OF_LOCKS = Pattern.compile(
                        "cassandra-?lock[.\\[].*", Pattern.CASE_INSENSITIVE)
                .asMatchPredicate();

        private final Environment application;

        WithoutLocks(Environment application) {
            super("application");
            this.application = application;
        }

        @Override
        public @Nullable Object getProperty(String name) {
            return OF_LOCKS.test(name) ? null : application.getProperty(name);
        }
    }
}
