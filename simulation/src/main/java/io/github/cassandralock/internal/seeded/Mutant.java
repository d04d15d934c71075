package io.github.cassandralock.internal.seeded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The program, or the simulated world, with a fault planted into one or two classes: their source is changed, compiled and
 * loaded in place of the original. Everything else stays unchanged.
 *
 * @param schedules the schedules that must show the fault
 * @param expected the violation that the fault must cause; another violation does not count
 * @param name the fault, in words
 * @param changes the replacements in the source
 */
public record Mutant(PlantedSchedules schedules, ViolationKind expected, String name, List<Change> changes) {

    /**
     * One replacement.
     *
     * @param type the class, relative to the base package
     * @param original the text in the source; white space does not matter
     * @param planted the text that replaces it
     */
    public record Change(String type, String original, String planted) {

        String applyTo(String source, Mutant mutant) {
            String pattern = Arrays.stream(original.trim().split("\\s+"))
                    .map(Pattern::quote)
                    .collect(Collectors.joining("\\s+"));
            Matcher matcher = Pattern.compile(pattern).matcher(source);
            if (!matcher.find()) {
                throw new IllegalStateException("The mutant '" + mutant.name + "' does not fit " + type
                        + " any more, which has no: " + original + ". Plant the fault in what is there now");
            }
            return matcher.replaceFirst(Matcher.quoteReplacement(planted));
        }
    }

    /** Returns a mutant with one change; {@link #and} adds more. */
    public static Mutant of(
            PlantedSchedules schedules,
            ViolationKind expected,
            String name,
            String type,
            String original,
            String planted) {
        return new Mutant(schedules, expected, name, List.of(new Change(type, original, planted)));
    }

    /** Returns the mutant with one more change, in the class of the first change. */
    public Mutant and(String original, String planted) {
        return and(changes.get(0).type(), original, planted);
    }

    /** Returns the mutant with one more change. */
    public Mutant and(String type, String original, String planted) {
        List<Change> more = new ArrayList<>(changes);
        more.add(new Change(type, original, planted));
        return new Mutant(schedules, expected, name, more);
    }

    /** The schedules, run on the mutant. */
    public LongFunction<List<String>> in(Path workDirectory) throws IOException {
        Map<String, String> sources = new LinkedHashMap<>();
        for (Change change : changes) {
            String file = (schedules.basePackage() + change.type()).replace('.', '/') + ".java";
            String source = sources.containsKey(file) ? sources.get(file) : PlantedClasses.original(file);
            sources.put(file, change.applyTo(source, this));
        }
        return new PlantedClasses(schedules, name, workDirectory).compiled(sources);
    }

    @Override
    public String toString() {
        return name;
    }
}
