package io.github.cassandralock.internal.key;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.springframework.beans.BeanUtils;
import org.springframework.util.ClassUtils;

/** What to write in a key in place of a value that cannot be a part of it. */
final class PartAdvice {

    /** Names of what identifies an object, the most usual one first. */
    private static final List<String> IDENTIFIERS = List.of("id", "uuid", "key", "number", "code", "name");

    private PartAdvice() {}

    /** A sentence without its full stop. */
    static String insteadOf(String part, Class<?> type) {
        if (Optional.class == type) {
            return "Write what it contains: " + part + ".orElse('none')";
        }
        if (type.isArray()) {
            return "Write one element, such as " + part + "[0], or declare a List in place of the array";
        }
        if (type == Boolean.class || type == boolean.class) {
            return "Write a word for each value: (" + part + " ? 'on' : 'off')";
        }
        if (type == AtomicInteger.class || type == AtomicLong.class) {
            return "Write its number: " + part + ".get()";
        }
        if (Number.class.isAssignableFrom(type) || type.isPrimitive()) {
            return "Equal amounts can have different texts (1.0 and 1.00): use an integer, such as the amount in the smallest unit";
        }
        if (Map.class.isAssignableFrom(type)) {
            return "Write the entry that names the resource, such as " + part + "['id']";
        }
        if (Class.class == type) {
            return "Write " + part + ".name";
        }
        if (Date.class.isAssignableFrom(type) || Calendar.class.isAssignableFrom(type)) {
            return "Write " + part + "." + javaTime(type);
        }
        return property(type)
                .map(name -> "Write the part of it that names the resource, such as " + part + "." + name)
                .or(() -> hasOwnText(type)
                        ? Optional.of("If its text names the resource, write " + part + ".toString()")
                        : Optional.empty())
                .orElse("Write a text that names the resource");
    }

    /** The dates and times of SQL are not instants. */
    private static String javaTime(Class<?> type) {
        return switch (type.getName()) {
            case "java.sql.Date" -> "toLocalDate()";
            case "java.sql.Time" -> "toLocalTime()";
            default -> "toInstant()";
        };
    }

    private static Optional<String> property(Class<?> type) {
        return properties(type).min(Comparator.comparingInt(PartAdvice::rank));
    }

    private static Stream<String> properties(Class<?> type) {
        if (type.isRecord()) {
            return Arrays.stream(type.getRecordComponents())
                    .filter(component -> mayBePart(component.getType()))
                    .map(RecordComponent::getName);
        }
        if (isOfTheJdk(type)) {
            return Stream.empty();
        }
        return Arrays.stream(BeanUtils.getPropertyDescriptors(type))
                .filter(property -> property.getReadMethod() != null && mayBePart(property.getReadMethod()))
                .map(PropertyDescriptor::getName);
    }

    private static boolean mayBePart(Method getter) {
        return getter.getDeclaringClass() != Object.class && mayBePart(getter.getReturnType());
    }

    private static boolean mayBePart(Class<?> type) {
        return PartTypes.isPlain(type) || PartTypes.component(type).isPresent();
    }

    private static int rank(String property) {
        String name = property.toLowerCase(Locale.ROOT);
        int known = IDENTIFIERS.indexOf(name);
        if (known >= 0) {
            return known;
        }
        return name.endsWith("id") ? IDENTIFIERS.size() : IDENTIFIERS.size() + 1;
    }

    static boolean isOfTheJdk(Class<?> type) {
        return type.getName().startsWith("java.");
    }

    /** Whether somebody has written the text of such a value for a purpose. */
    static boolean hasOwnText(Class<?> type) {
        Method toString = ClassUtils.getMethod(ClassUtils.getUserClass(type), "toString");
        return !isOfTheJdk(toString.getDeclaringClass()) && !PartTypes.hasGeneratedText(type);
    }
}
