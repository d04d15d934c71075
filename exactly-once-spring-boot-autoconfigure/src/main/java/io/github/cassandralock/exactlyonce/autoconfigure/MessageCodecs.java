package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** Codecs of messages: of strings and bytes, and the beans of the application. Thread-safe. */
final class MessageCodecs {

    private static final Codec<String> TEXT = Codec.utf8();
    private static final Codec<byte[]> BYTES = Codec.bytes();

    private final ListableBeanFactory beans;

    /** Queue → the type of its messages, for the methods of this application. */
    private final Map<String, ResolvableType> types = new ConcurrentHashMap<>();

    /** Codecs of classes that were pushed. */
    private final Map<Class<?>, Codec<?>> known = new ConcurrentHashMap<>();

    MessageCodecs(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /** The codec of a type; empty if there is none, or several and none is primary. */
    Optional<Codec<?>> of(ResolvableType type) {
        if (type.resolve() == String.class) {
            return Optional.of(TEXT);
        }
        if (type.resolve() == byte[].class) {
            return Optional.of(BYTES);
        }
        return Optional.ofNullable(
                (Codec<?>) beans.getBeanProvider(ResolvableType.forClassWithGenerics(Codec.class, type))
                        .getIfUnique());
    }

    /** A method of this application takes messages of this type. */
    void expect(String queue, ResolvableType type) {
        types.put(queue, type);
    }

    /** @throws IllegalArgumentException if there is no codec, or a method of this application takes messages of another type */
    byte[] encode(String queue, Object message) {
        ResolvableType expected = types.get(queue);
        if (expected == null) {
            return encode(known.computeIfAbsent(message.getClass(), type -> ofClass(queue, type)), message);
        }
        if (!expected.toClass().isInstance(message)) {
            throw new IllegalArgumentException("A message to queue '" + queue + "' is of type "
                    + message.getClass().getName() + ", but the method of that queue takes " + expected
                    + ". Push messages of that type, or use another queue.");
        }
        return encode(of(expected).orElseThrow(), message);
    }

    private static <T> byte[] encode(Codec<T> codec, Object message) {
        @SuppressWarnings("unchecked") // the codec was found by the class of the message
        T value = (T) message;
        return codec.encode(value);
    }

    /** The codec of the class, or of the nearest class or interface that it extends. */
    private Codec<?> ofClass(String queue, Class<?> type) {
        return Stream.concat(
                        Stream.<Class<?>>iterate(type, each -> each != null, Class::getSuperclass),
                        Stream.of(ClassUtils.getAllInterfacesForClass(type)))
                .flatMap(each -> of(ResolvableType.forClass(each)).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("A message to queue '" + queue + "' is of type "
                        + type.getName() + ", for which the application has no codec. Push a String or a byte[],"
                        + " or declare a bean of type Codec<" + type.getSimpleName() + ">."));
    }
}
