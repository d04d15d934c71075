package io.github.cassandralock.internal.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.PackageMatcher;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rules about the main code of the module whose tests run. A rule with a bound prints its figure, which may not be larger. A bound is
 * lowered with the figure, and never raised.
 */
public final class Structure {

    private Structure() {}

    /**
     * A package depends on itself, on the JDK, JSpecify and SLF4J, and on these packages only.
     *
     * @param name as in {@link PackageMatcher}
     * @param others as in {@link PackageMatcher}
     */
    public static ArchRule mayUse(String name, String... others) {
        return classes()
                .that()
                .resideInAPackage(name)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        Stream.concat(Stream.of("java..", "org.jspecify..", "org.slf4j..", name), Stream.of(others))
                                .toArray(String[]::new));
    }

    /**
     * In the class reference graph of a package, no cycle has more classes. A nested class counts with its outermost one, and a sealed
     * type with the classes that it permits.
     */
    public static ArchRule classCycles(int most) {
        return FigureRule.of("the largest cycle of classes in a package", most, Structure::largestClassCycle);
    }

    private static FigureRule.Finding largestClassCycle(List<JavaClass> classes) {
        Map<String, Set<String>> largest = new TreeMap<>();
        byPackage(classes)
                .forEach((name, ofPackage) ->
                        ReferenceGraph.of(ofPackage, ReferenceGraph.byFileAndSealedType(ofPackage)).cycles().stream()
                                .findFirst()
                                .ifPresent(cycle -> largest.put(name, cycle)));
        return new FigureRule.Finding(
                largest.values().stream().mapToInt(Set::size).max().orElse(0),
                largest.entrySet().stream()
                        .sorted(Comparator.comparing(cycle -> -cycle.getValue().size()))
                        .map(cycle ->
                                cycle.getKey() + ": " + cycle.getValue().size() + " " + simpleNames(cycle.getValue()))
                        .collect(Collectors.joining("; ")));
    }

    private static Map<String, List<JavaClass>> byPackage(Collection<JavaClass> classes) {
        return classes.stream().collect(Collectors.groupingBy(JavaClass::getPackageName));
    }

    private static List<String> simpleNames(Collection<String> names) {
        return names.stream()
                .map(name -> name.substring(name.lastIndexOf('.') + 1))
                .toList();
    }

    /** No cycle of packages has more packages. */
    public static ArchRule packageCycles(int most) {
        return FigureRule.of("the largest cycle of packages", most, classes -> {
            Map<String, String> packages =
                    classes.stream().collect(Collectors.toMap(JavaClass::getName, JavaClass::getPackageName));
            Set<String> largest =
                    ReferenceGraph.of(classes, name -> packages.getOrDefault(name, name)).cycles().stream()
                            .findFirst()
                            .orElse(Set.of());
            return new FigureRule.Finding(largest.size(), largest.toString());
        });
    }

    /** No source file of main code has more lines, interfaces of an API excepted: these are mostly documentation. */
    public static ArchRule longestFile(int most) {
        return FigureRule.of(
                "the longest source file",
                most,
                classes -> MainSources.ofThisModule().longest());
    }

    /**
     * No other interfaces exist to call back or to ask: those that are not sealed, and that one class of the module implements.
     *
     * @param packages as in {@link PackageMatcher}
     */
    public static ArchRule callbacks(String packages, String... allowed) {
        PackageMatcher matcher = PackageMatcher.of(packages);
        return FigureRule.of(
                "the number of interfaces with one implementation in " + packages + ", but for " + List.of(allowed),
                0,
                classes -> {
                    List<String> found = withOneImplementation(classes.stream()
                            .filter(type -> matcher.matches(type.getPackageName()))
                            .toList());
                    List<String> others = found.stream()
                            .filter(name -> !List.of(allowed).contains(name))
                            .toList();
                    return new FigureRule.Finding(others.size(), others + " of all " + found.size() + " " + found);
                });
    }

    static List<String> withOneImplementation(Collection<JavaClass> classes) {
        return classes.stream()
                .filter(Structure::hasOneImplementation)
                .map(type -> type.getName().substring(type.getPackageName().length() + 1))
                .map(name -> name.replace('$', '.'))
                .sorted()
                .toList();
    }

    private static boolean hasOneImplementation(JavaClass type) {
        return type.isInterface()
                && !type.isAnnotation()
                && !type.reflect().isSealed()
                && type.getAllSubclasses().stream()
                                .filter(implementation -> !implementation.isInterface())
                                .filter(implementation ->
                                        !implementation.getModifiers().contains(JavaModifier.SYNTHETIC))
                                .limit(2)
                                .count()
                        == 1;
    }

    /**
     * Questions for the kind of a state are asked in no more places, those of the state itself excepted.
     *
     * @param state the full name of a sealed type, whose subtypes are the kinds
     * @param methods of that type, each of which asks for a kind as {@code instanceof} does
     */
    public static ArchRule questionsForTheKind(String state, int most, String... methods) {
        return FigureRule.of("the number of questions for the kind of a " + state, most, classes -> {
            Map<String, Long> asked = questionsForTheKind(state, List.of(methods), classes);
            return new FigureRule.Finding(
                    asked.values().stream().mapToInt(Long::intValue).sum(), asked.toString());
        });
    }

    static Map<String, Long> questionsForTheKind(
            String state, Collection<String> methods, Collection<JavaClass> classes) {
        return classes.stream()
                .filter(type -> !type.isAssignableTo(state))
                .flatMap(type -> Stream.concat(
                        type.getInstanceofChecks().stream()
                                .filter(check -> check.getRawType().isAssignableTo(state))
                                .map(check -> check.getOwner().getOwner().getSimpleName()),
                        type.getCodeUnitAccessesFromSelf().stream()
                                .filter(access -> access.getTargetOwner().isAssignableTo(state)
                                        && methods.contains(access.getName()))
                                .map(access -> access.getOriginOwner().getSimpleName())))
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    }
}
