package io.github.cassandralock.internal.threads;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Map;

/** Looks into what an object keeps for itself, to see whether anything was left behind there. */
public final class Leftovers {

    private Leftovers() {}

    /** How many entries a private map or collection has. */
    public static int in(Object owner, String field) {
        Object value = of(owner, field);
        return value instanceof Map<?, ?> map ? map.size() : ((Collection<?>) value).size();
    }

    /** A private part of it. */
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
