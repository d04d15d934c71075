package io.github.cassandralock.internal.threads;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Map;

/** Reads private fields of an object, to find entries that were not removed. */
public final class Leftovers {

    private Leftovers() {}

    /** How many entries a private map or collection has. */
    public static int in(Object owner, String field) {
        Object value = of(owner, field);
        return value instanceof Map<?, ?> map ? map.size() : ((Collection<?>) value).size();
    }

    /** The value of a private field. */
    public static Object of(Object owner, String name) {
        try {
            Field field = owner.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(owner);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(owner.getClass() + " keeps nothing under '" + name + "' any more", e);
        }
    }
}
