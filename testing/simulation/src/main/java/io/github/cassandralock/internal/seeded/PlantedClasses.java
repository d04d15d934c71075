package io.github.cassandralock.internal.seeded;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Classes that are compiled from changed sources and loaded in place of the originals. */
final class PlantedClasses {

    private static final List<Path> SOURCES = List.of(Path.of("src/main/java"), Path.of("src/test/java"));

    private final PlantedSchedules schedules;
    private final String fault;
    private final Path workDirectory;

    PlantedClasses(PlantedSchedules schedules, String fault, Path workDirectory) {
        this.schedules = schedules;
        this.fault = fault;
        this.workDirectory = workDirectory;
    }

    /** The source of a file of this module, below the root of main code or of tests. */
    static String original(String file) throws IOException {
        return Files.readString(SOURCES.stream()
                .map(root -> root.resolve(file))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no source " + file)));
    }

    /** The schedules, run on the changed classes. */
    @SuppressWarnings("unchecked")
    LongFunction<List<String>> compiled(Map<String, String> sources) throws IOException {
        Path classes = compile(sources);
        Object[] all;
        try {
            all = new Loader(classes, schedules).loadClass(kind()).getEnumConstants();
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
        return (LongFunction<List<String>>) Arrays.stream(Objects.requireNonNull(all))
                .filter(constant -> constant.toString().equals(schedules.name()))
                .findFirst()
                .orElseThrow();
    }

    /** The enum of the schedules; a constant with a body is of a class of its own. */
    private String kind() {
        return ((Enum<?>) schedules).getDeclaringClass().getName();
    }

    private Path compile(Map<String, String> sources) throws IOException {
        List<Path> changed = new ArrayList<>();
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = workDirectory.resolve("source").resolve(source.getKey());
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            changed.add(Files.writeString(file, source.getValue()));
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
            throw new IllegalStateException("The fault '" + fault + "' does not compile: " + messages);
        }
        return classes;
    }

    /**
     * Loads the classes of the packages that a fault may change again, and takes changed classes first; shares all others.
     */
    private static final class Loader extends ClassLoader {

        private final Path changed;
        private final PlantedSchedules schedules;

        Loader(Path changed, PlantedSchedules schedules) {
            super(schedules.getClass().getClassLoader());
            this.changed = changed;
            this.schedules = schedules;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null && isReloaded(name)) {
                    byte[] bytes = bytes(name.replace('.', '/') + ".class");
                    loaded = defineClass(name, bytes, 0, bytes.length);
                }
                return loaded == null ? super.loadClass(name, resolve) : loaded;
            }
        }

        private boolean isReloaded(String name) {
            return schedules.reloaded().stream().anyMatch(part -> name.startsWith(schedules.basePackage() + part));
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
