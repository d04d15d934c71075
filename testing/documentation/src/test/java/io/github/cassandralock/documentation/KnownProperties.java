package io.github.cassandralock.documentation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The configuration properties that the libraries on the class path declare in their metadata, with their types. */
final class KnownProperties {

    private static final String METADATA = "META-INF/spring-configuration-metadata.json";

    private final SortedMap<String, String> types = new TreeMap<>();

    KnownProperties() {
        ObjectMapper json = new ObjectMapper();
        try {
            for (URL file : Collections.list(getClass().getClassLoader().getResources(METADATA))) {
                try (InputStream text = file.openStream()) {
                    for (JsonNode property : json.readTree(text).path("properties")) {
                        if (!property.at("/deprecation/level").asText().equals("error")) {
                            types.put(
                                    property.path("name").asText(),
                                    property.path("type").asText());
                        }
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The properties of this project. */
    Set<String> ofLocks() {
        return new TreeSet<>(types.subMap("cassandra-lock.", "cassandra-lock/").keySet());
    }

    /** The properties of exactly-once handlers. */
    Set<String> ofExactlyOnce() {
        return new TreeSet<>(types.subMap("exactly-once.", "exactly-once/").keySet());
    }

    /** Whether the value of this property is a map. */
    boolean isMap(String key) {
        return types.getOrDefault(key, "").startsWith("java.util.Map");
    }

    /** What a named locker has beside the keys of {@code cassandra-lock}. */
    private static final Pattern OF_A_LOCKER = Pattern.compile(
            "^cassandra-lock\\.lockers\\.[^.]+\\.(?!contact-points|local-datacenter|username|password)");

    /** Whether there is such a property, or one whose value is a map or a list that this key is in. */
    boolean contains(String key) {
        String plain = OF_A_LOCKER.matcher(key.replaceAll("\\[\\d+]", "")).replaceFirst("cassandra-lock.");
        return types.containsKey(plain)
                || types.entrySet().stream()
                        .anyMatch(property ->
                                isCollection(property.getValue()) && plain.startsWith(property.getKey() + "."));
    }

    private static boolean isCollection(String type) {
        return type.startsWith("java.util.Map") || type.startsWith("java.util.List");
    }

    /** Whether there are properties below this name. */
    boolean containsGroup(String name) {
        return types.keySet().stream().anyMatch(key -> key.startsWith(name + "."));
    }
}
