package io.github.cassandralock.local;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes settings as YAML: one line per top-level key, with its value in JSON, which is valid YAML. */
final class YamlText {

    private YamlText() {}

    static String of(Map<String, Object> settings) {
        return settings.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + value(entry.getValue()) + "\n")
                .collect(Collectors.joining());
    }

    private static String value(Object value) {
        if (value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> quoted(String.valueOf(entry.getKey())) + ": " + value(entry.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof Collection<?> items) {
            return items.stream().map(YamlText::value).collect(Collectors.joining(", ", "[", "]"));
        }
        return quoted(value.toString());
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(character -> {
            if (character == '"' || character == '\\') {
                quoted.append('\\').append((char) character);
            } else if (Character.isISOControl(character)) {
                quoted.append(String.format("\\x%02x", character));
            } else {
                quoted.append((char) character);
            }
        });
        return quoted.append('"').toString();
    }
}
