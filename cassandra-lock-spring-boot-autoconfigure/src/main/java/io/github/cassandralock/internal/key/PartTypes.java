package io.github.cassandralock.internal.key;

import io.github.cassandralock.LockPath;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigInteger;
import java.time.ZoneId;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** The list of types that may be a part of a key. */
final class PartTypes {

    /** Kotlin compiles this method into each value class. It returns the component. */
    private static final String UNBOX = "unbox-impl";

    private static final List<Class<?>> PLAIN =
            List.of(CharSequence.class, Character.class, UUID.class, Enum.class, LockPath.class);

    private static final Set<Class<?>> INTEGERS =
            Set.of(Byte.class, Short.class, Integer.class, Long.class, BigInteger.class);

    /** The other packages of java.time contain formats and adjusters, not values. */
    private static final Set<String> TIME_PACKAGES = Set.of("java.time", "java.time.chrono");

    private static final List<Class<?>> TIMES = List.of(TemporalAccessor.class, TemporalAmount.class, ZoneId.class);

    private PartTypes() {}

    /** Whether values of this type are parts as they are. */
    static boolean isPlain(Class<?> type) {
        Class<?> boxed = ClassUtils.resolvePrimitiveIfNecessary(type);
        return INTEGERS.contains(boxed) || isAmong(PLAIN, boxed) || isTime(boxed);
    }

    private static boolean isTime(Class<?> type) {
        return TIME_PACKAGES.contains(type.getPackageName()) && isAmong(TIMES, type);
    }

    private static boolean isAmong(List<Class<?>> types, Class<?> type) {
        return types.stream().anyMatch(candidate -> candidate.isAssignableFrom(type));
    }

    /** How a value class of Kotlin, or a record with one component, is reduced to its only component. */
    static Optional<Method> component(Class<?> type) {
        if (type.isRecord()) {
            RecordComponent[] components = type.getRecordComponents();
            return components.length == 1 ? Optional.of(components[0].getAccessor()) : Optional.empty();
        }
        return Optional.ofNullable(ClassUtils.getMethodIfAvailable(type, UNBOX));
    }

    /** Whether the compiler writes a text with all components for the value: a record, or a data class of Kotlin. */
    static boolean hasGeneratedText(Class<?> type) {
        return type.isRecord() || (hasMethod(type, "component1") && hasMethod(type, "copy$default"));
    }

    private static boolean hasMethod(Class<?> type, String name) {
        return Stream.of(type.getDeclaredMethods())
                .anyMatch(method -> method.getName().equals(name));
    }

    /**
     * The value itself, or its only component, at any depth.
     *
     * @param part names the value in messages
     * @throws UnusablePartException if the value or a component is null, or a component cannot be read
     */
    static Object reduced(@Nullable Object value, String part) {
        if (value == null) {
            throw UnusablePartException.ofNull(part);
        }
        Optional<Method> component = component(value);
        if (component.isEmpty()) {
            return value;
        }
        Object inner = read(component.get(), value, part);
        if (inner == null) {
            throw UnusablePartException.ofNull("the component of " + part);
        }
        return reduced(inner, part);
    }

    private static Optional<Method> component(Object value) {
        boolean plain = value instanceof String || value instanceof Number || value instanceof Enum;
        return plain ? Optional.empty() : component(value.getClass());
    }

    private static @Nullable Object read(Method component, Object value, String part) {
        try {
            component.setAccessible(true);
            return component.invoke(value);
        } catch (ReflectiveOperationException | InaccessibleObjectException e) {
            UnusablePartException unreadable = new UnusablePartException(
                    "the component of " + part + " cannot be read (" + e + ")",
                    "Make the class " + value.getClass().getName() + " public, or write its component");
            unreadable.initCause(e);
            throw unreadable;
        }
    }
}
