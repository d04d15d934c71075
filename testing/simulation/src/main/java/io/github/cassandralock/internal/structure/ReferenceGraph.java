package io.github.cassandralock.internal.structure;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Who refers to whom.
 *
 * @param references the names that each name refers to
 */
record ReferenceGraph(Map<String, Set<String>> references) {

    /** The graph of some classes. References to other classes are left out. */
    static ReferenceGraph of(Collection<JavaClass> classes, UnaryOperator<String> nodeOf) {
        Set<String> known =
                classes.stream().map(type -> nodeOf.apply(type.getName())).collect(Collectors.toSet());
        Map<String, Set<String>> references = new TreeMap<>();
        for (JavaClass type : classes) {
            String from = nodeOf.apply(type.getName());
            Set<String> all = references.computeIfAbsent(from, name -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> nodeOf.apply(
                            dependency.getTargetClass().getBaseComponentType().getName()))
                    .filter(to -> known.contains(to) && !to.equals(from))
                    .forEach(all::add);
        }
        return new ReferenceGraph(references);
    }

    /** A nested class counts with its outermost one, and a sealed type with the classes that it permits. */
    static UnaryOperator<String> byFileAndSealedType(Collection<JavaClass> classes) {
        Map<String, String> joined = new HashMap<>();
        for (JavaClass type : classes) {
            Class<?>[] permitted = type.reflect().getPermittedSubclasses();
            for (Class<?> other : permitted == null ? new Class<?>[0] : permitted) {
                String one = joined.getOrDefault(outermost(type.getName()), outermost(type.getName()));
                String same = joined.getOrDefault(outermost(other.getName()), outermost(other.getName()));
                joined.replaceAll((name, present) -> present.equals(same) ? one : present);
                joined.put(outermost(other.getName()), one);
                joined.put(same, one);
            }
        }
        return name -> joined.getOrDefault(outermost(name), outermost(name));
    }

    static String outermost(String name) {
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private Set<String> reachedFrom(String start) {
        Set<String> reached = new TreeSet<>();
        Deque<String> next = new ArrayDeque<>(references.getOrDefault(start, Set.of()));
        while (!next.isEmpty()) {
            String name = next.remove();
            if (reached.add(name)) {
                next.addAll(references.getOrDefault(name, Set.of()));
            }
        }
        return reached;
    }

    /** The names that reach each other, in sets as large as possible; the largest set first. */
    List<Set<String>> cycles() {
        return references.keySet().stream()
                .map(this::cycleOf)
                .filter(cycle -> !cycle.isEmpty())
                .distinct()
                .sorted(Comparator.comparing((Set<String> cycle) -> -cycle.size())
                        .thenComparing(Set::toString))
                .toList();
    }

    private Set<String> cycleOf(String name) {
        return reachedFrom(name).stream()
                .filter(other -> reachedFrom(other).contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
