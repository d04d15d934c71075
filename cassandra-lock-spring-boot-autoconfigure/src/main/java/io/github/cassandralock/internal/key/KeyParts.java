package io.github.cassandralock.internal.key;

import io.github.cassandralock.LockPath;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The texts of parts of a key. A part is a text, an integer, a {@code UUID}, an enum constant, a value of {@code java.time}, or a
 * {@link LockPath}. It may be a Kotlin value class or a record with one such component, or a collection. Every other type is
 * refused. Two equal objects of another type could have different texts, and two different objects could share a text.
 */
public final class KeyParts {

    /** What has a meaning in the text of a collection. */
    private static final Pattern SPECIAL = Pattern.compile("[\\\\,\\[\\]]");

    private KeyParts() {}

    /**
     * The text of a part. The text of a collection is {@code [a, b]}. A backslash precedes each comma, bracket and backslash of
     * an element, so that different collections have different texts. The elements of a collection that is no list are sorted.
     *
     * @param part names the value in messages
     * @throws UnusablePartException if the value or an element or component is null or of another type
     */
    public static String text(@Nullable Object value, String part) {
        Object reduced = reduced(value, part);
        return reduced instanceof Collection<?> elements
                ? texts(elements, part).stream().map(KeyParts::escaped).collect(Collectors.joining(", ", "[", "]"))
                : single(reduced, part);
    }

    /**
     * The value, or its component if it is a value class or a record with one.
     *
     * @param part names the value in messages
     * @throws UnusablePartException if the value or a component is null
     */
    public static Object reduced(@Nullable Object value, String part) {
        return PartTypes.reduced(value, part);
    }

    /** The texts of the elements; sorted, unless the collection is a list. */
    static List<String> texts(Collection<?> elements, String part) {
        Stream<String> texts = elements.stream().map(element -> element(element, "an element of " + part));
        return (elements instanceof List ? texts : texts.sorted()).toList();
    }

    private static String element(@Nullable Object value, String part) {
        String text = single(reduced(value, part), part);
        if (text.isBlank()) {
            throw new UnusablePartException(part + " is a blank text", "Leave it out, or write a word for it");
        }
        return text;
    }

    /** A text is read by its characters, because a delegating Kotlin class may have no {@code toString} of its own. */
    private static String single(Object value, String part) {
        if (!PartTypes.isPlain(value.getClass())) {
            throw UnusablePartException.ofType(part, value.getClass());
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof LockPath path) {
            return path.getLockId();
        }
        return value instanceof CharSequence text
                ? new StringBuilder().append(text, 0, text.length()).toString()
                : value.toString();
    }

    /** Whether this is a part that is a text by itself. */
    static boolean isText(Object value) {
        return value instanceof CharSequence || value instanceof Character;
    }

    private static String escaped(String element) {
        return SPECIAL.matcher(element).replaceAll("\\\\$0");
    }
}
