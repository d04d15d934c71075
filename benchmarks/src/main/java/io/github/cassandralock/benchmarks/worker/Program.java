package io.github.cassandralock.benchmarks.worker;

import io.github.cassandralock.testing.processes.JvmProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What a worker process runs.
 *
 * @param main the main class, which calls {@link Worker#run} with its second argument, a number
 * @param argument the first argument
 * @param environment variables besides those of this process
 * @param classPath empty: the classes of this process
 */
public record Program(Class<?> main, String argument, Map<String, String> environment, List<Path> classPath) {

    public Program {
        environment = Map.copyOf(environment);
        classPath = List.copyOf(classPath);
    }

    JvmProcess start(int number, Path log) throws IOException {
        List<String> arguments = List.of(argument, Integer.toString(number));
        return classPath.isEmpty()
                ? JvmProcess.startWithOutput(main, arguments, environment, log)
                : JvmProcess.startWithClassPath(classPath, main, arguments, environment, log);
    }
}
