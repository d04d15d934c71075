package io.github.cassandralock.internal.seeded;

import java.util.Arrays;
import java.util.List;

/**
 * A class in a source file.
 *
 * @param name relative to a base package: the package, the outermost class, and nested classes, separated by dots
 */
record SourceType(String name) {

    private List<String> parts() {
        return Arrays.asList(name.split("\\."));
    }

    private int outermost() {
        List<String> parts = parts();
        for (int part = 0; part < parts.size(); part++) {
            if (Character.isUpperCase(parts.get(part).charAt(0))) {
                return part;
            }
        }
        throw new IllegalArgumentException("no class: " + name);
    }

    /** The path of the source file below a root of sources. */
    String file(String basePackage) {
        return (basePackage + String.join(".", parts().subList(0, outermost() + 1))).replace('.', '/') + ".java";
    }

    /** The simple names, from the outermost class to this one. */
    List<String> path() {
        return parts().subList(outermost(), parts().size());
    }

    @Override
    public String toString() {
        return name;
    }
}
