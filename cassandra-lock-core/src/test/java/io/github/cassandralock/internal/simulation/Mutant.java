package io.github.cassandralock.internal.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The algorithm, or the simulated world, with a fault planted into one or two classes: their source is changed, compiled and
 * loaded in place of the original. Everything else stays unchanged.
 *
 * @param schedules the schedules that must show the fault
 * @param expected the violation that the fault must cause; another violation does not count
 * @param name the fault, in words
 * @param changes the replacements in the source
 */
public record Mutant(Schedules schedules, Violation expected, String name, List<Change> changes) {

    private static final String BASE = "io.github.cassandralock.internal.";
    private static final List<String> RELOADED =
            List.of("steps.", "session.", "deadlock.", "ticket.", "majority.", "locker.", "simulation.");
    private static final List<Path> SOURCES = List.of(Path.of("src/main/java"), Path.of("src/test/java"));

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
            Schedules schedules, Violation expected, String name, String type, String original, String planted) {
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
    @SuppressWarnings("unchecked")
    public LongFunction<List<String>> in(Path workDirectory) throws IOException {
        Path classes = compile(Files.createDirectories(workDirectory));
        Object[] all;
        try {
            all = new Loader(classes).loadClass(Schedules.class.getName()).getEnumConstants();
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
        return (LongFunction<List<String>>) Arrays.stream(Objects.requireNonNull(all))
                .filter(constant -> constant.toString().equals(schedules.name()))
                .findFirst()
                .orElseThrow();
    }

    private Path compile(Path workDirectory) throws IOException {
        List<Path> changed = new ArrayList<>();
        for (String type : changes.stream().map(Change::type).distinct().toList()) {
            changed.add(changed(type, workDirectory.resolve("source")));
        }
        Path classes = Files.createDirectories(workDirectory.resolve("classes"));
        StringWriter messages = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        boolean compiled = compiler.getTask(
                        messages,
                        null,
                        null,
                        List.of("-proc:none", "-nowarn", "-d", classes.toString()),
                        null,
                        compiler.getStandardFileManager(null, null, null)
                                .getJavaFileObjects(changed.toArray(Path[]::new)))
                .call();
        if (!compiled) {
            throw new IllegalStateException("The mutant '" + name + "' does not compile: " + messages);
        }
        return classes;
    }

    private Path changed(String type, Path directory) throws IOException {
        String file = (BASE + type).replace('.', '/') + ".java";
        String source = Files.readString(SOURCES.stream()
                .map(root -> root.resolve(file))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no source of " + type)));
        for (Change change : changes) {
            if (change.type().equals(type)) {
                source = change.applyTo(source, this);
            }
        }
        Path changed = directory.resolve(file);
        Files.createDirectories(Objects.requireNonNull(changed.getParent()));
        return Files.writeString(changed, source);
    }

    @Override
    public String toString() {
        return name;
    }

    /**
     * Loads the classes of the packages that a mutant may change again, and takes changed classes first; shares all
     * others.
     */
    private static final class Loader extends ClassLoader {

        private final Path changed;

        Loader(Path changed) {
            super(Mutant.class.getClassLoader());
            this.changed = changed;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null && RELOADED.stream().anyMatch(part -> name.startsWith(BASE + part))) {
                    byte[] bytes = bytes(name.replace('.', '/') + ".class");
                    loaded = defineClass(name, bytes, 0, bytes.length);
                }
                return loaded == null ? super.loadClass(name, resolve) : loaded;
            }
        }

        private byte[] bytes(String resource) throws ClassNotFoundException {
            Path own = changed.resolve(resource);
            try (InputStream stream =
                    Files.exists(own) ? Files.newInputStream(own) : getParent().getResourceAsStream(resource)) {
                if (stream == null) {
                    throw new ClassNotFoundException(resource);
                }
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
