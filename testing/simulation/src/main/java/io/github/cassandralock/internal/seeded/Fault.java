package io.github.cassandralock.internal.seeded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * The program, or the simulated world, with a fault planted into one or more methods. Each changed class is compiled and loaded in
 * place of the original, and everything else stays unchanged. A method is found by its name, so a fault names the rule that it breaks.
 */
public final class Fault {

    private final PlantedSchedules schedules;
    private final ViolationKind expected;
    private final String name;
    private final List<Edit> edits;

    private Fault(PlantedSchedules schedules, ViolationKind expected, String name, List<Edit> edits) {
        this.schedules = schedules;
        this.expected = expected;
        this.name = name;
        this.edits = edits;
    }

    /** One change of one class. */
    private record Edit(SourceType type, Function<ParsedSource, String> change) {}

    /**
     * Returns a fault without a place; {@link #in} adds places.
     *
     * @param schedules the schedules that must show the fault
     * @param expected the violation that the fault must cause; another violation does not count
     * @param name the fault, in words
     */
    public static Fault of(PlantedSchedules schedules, ViolationKind expected, String name) {
        return new Fault(schedules, expected, name, List.of());
    }

    /** Returns this fault, shown by other schedules. */
    public Fault in(PlantedSchedules others) {
        return new Fault(others, expected, name, edits);
    }

    /**
     * Names one more place.
     *
     * @param type the class, relative to the base package; the name of a nested class follows that of the outermost one
     * @param member the method. If its name is overloaded, the types of the parameters follow in parentheses, as in
     *     {@code areSharersGone(TicketHandle, LockMode)}. A constructor has the name of its class. A field stands for its
     *     initial value. Methods of anonymous classes count as methods of the class around them.
     */
    public Place in(String type, String member) {
        return new Place(new SourceType(type), member);
    }

    /** Adds a member to the class that {@link #in} named last. */
    public Fault with(String member) {
        SourceType last = edits.get(edits.size() - 1).type();
        return and(new Edit(last, source -> source.withMember(last, member)));
    }

    private Fault and(Edit edit) {
        List<Edit> more = new ArrayList<>(edits);
        more.add(edit);
        return new Fault(schedules, expected, name, more);
    }

    /** A method, and what may be done to it. */
    public final class Place {

        private final SourceType type;
        private final String member;

        private Place(SourceType type, String member) {
            this.type = type;
            this.member = member;
        }

        /** Replaces the body of the method, or the initial value of the field. */
        public Fault body(String planted) {
            return and(new Edit(type, source -> source.withBody(type, member, planted)));
        }

        /** Does the same; in the new body, {@code right(...)} is the method as it was, and {@code right} the value as it was. */
        public Fault around(String planted) {
            return and(new Edit(type, source -> source.withBodyAround(type, member, planted)));
        }

        /**
         * Replaces one statement or expression of the method.
         *
         * @param original occurs exactly once in the method; white space and comments do not matter
         * @throws IllegalArgumentException if faults in this class replace whole methods only
         */
        public Fault replacing(String original, String planted) {
            if (schedules.onlyWholeMethods().stream().anyMatch(type.name()::startsWith)) {
                throw new IllegalArgumentException("The fault '" + name + "' needs a statement of " + type + "."
                        + member + ". Give the decision a method of its own, and replace that one");
            }
            return and(new Edit(type, source -> source.withReplaced(type, member, original, planted)));
        }
    }

    /** The schedules that must show the fault. */
    public PlantedSchedules schedules() {
        return schedules;
    }

    /** The violation that the fault must cause. */
    public ViolationKind expected() {
        return expected;
    }

    /** The fault, in words. */
    public String name() {
        return name;
    }

    /** The schedules, run on the program with the fault. */
    public LongFunction<List<String>> plantedIn(Path workDirectory) throws IOException {
        PlantedClasses classes = new PlantedClasses(schedules, name, workDirectory);
        Map<String, String> sources = new LinkedHashMap<>();
        for (Edit edit : edits) {
            String file = edit.type().file(schedules.basePackage());
            String source = sources.containsKey(file) ? sources.get(file) : PlantedClasses.original(file);
            sources.put(file, applied(edit, source));
        }
        return classes.compiled(sources);
    }

    private String applied(Edit edit, String source) {
        try {
            return edit.change().apply(ParsedSource.of(source));
        } catch (NoPlaceException e) {
            throw new IllegalStateException(
                    "The fault '" + name + "' has no place any more: " + e.getMessage()
                            + ". Plant it in what is there now",
                    e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
