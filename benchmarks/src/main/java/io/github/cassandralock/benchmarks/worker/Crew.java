package io.github.cassandralock.benchmarks.worker;

import io.github.cassandralock.testing.processes.JvmProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.springframework.util.StringUtils;

/** Worker processes that carry out the same orders, a line each, at the same time. Each answers in a line. For one thread. */
public record Crew(List<JvmProcess> processes) implements AutoCloseable {

    /** What the line of an answer begins with. */
    public static final String ANSWER = "ANSWER ";

    /**
     * Starts the processes.
     *
     * @param program whose main method starts workers
     * @param command the argument by which it does
     * @param first the number of the first process, which is the next argument; the others have the numbers after it
     * @param arguments the same for all
     * @param variables of their environment, besides those of this process
     * @param logs the folder of what workers say
     */
    public static Crew start(
            int count,
            Class<?> program,
            String command,
            int first,
            List<String> arguments,
            Map<String, String> variables,
            Path logs)
            throws IOException {
        Crew crew = new Crew(new ArrayList<>());
        for (int number = first; number < first + count; number++) {
            List<String> all = new ArrayList<>(List.of(command, Integer.toString(number)));
            all.addAll(arguments);
            crew.processes.add(
                    JvmProcess.startWithOutput(program, all, variables, logs.resolve(command + "-" + number + ".log")));
        }
        return crew;
    }

    /** All carry it out at the same time. Returns what they answer. */
    public List<String> order(String order) throws IOException {
        for (JvmProcess process : processes) {
            process.process().getOutputStream().write((order + "\n").getBytes(StandardCharsets.UTF_8));
            process.process().getOutputStream().flush();
        }
        return processes.stream().map(Crew::answer).toList();
    }

    private static String answer(JvmProcess process) {
        try {
            return process.awaitLine(ANSWER).substring(ANSWER.length());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@link #order}; the answers are numbers. */
    public List<long[]> numbers(String order) throws IOException {
        return order(order).stream()
                .map(answer -> Arrays.stream(StringUtils.delimitedListToStringArray(answer, " "))
                        .mapToLong(Long::parseLong)
                        .toArray())
                .toList();
    }

    @Override
    public void close() throws InterruptedException {
        for (JvmProcess process : processes) {
            process.close();
        }
    }
}
