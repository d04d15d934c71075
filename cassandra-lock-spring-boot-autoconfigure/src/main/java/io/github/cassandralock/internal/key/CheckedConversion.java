package io.github.cassandralock.internal.key;

import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.spel.support.StandardTypeConverter;

/** Converts as SpEL does, except to text, which only a part of a key has. Thread-safe. */
final class CheckedConversion extends StandardTypeConverter {

    @Override
    public boolean canConvert(@Nullable TypeDescriptor source, TypeDescriptor target) {
        return isText(target) || super.canConvert(source, target);
    }

    @Override
    public @Nullable Object convertValue(
            @Nullable Object value, @Nullable TypeDescriptor source, TypeDescriptor target) {
        return isText(target) && value != null
                ? KeyParts.text(value, "a value that is used as text")
                : super.convertValue(value, source, target);
    }

    private static boolean isText(TypeDescriptor type) {
        return type.getType() == String.class || type.getType() == CharSequence.class;
    }
}
