package io.github.cassandralock.benchmarks.processor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Two cores, for servers and for clients. Processes are bound to them after their start, so that their virtual machines
 * configure themselves as they do in the other layout.
 *
 * @param servers number of the core of all servers
 * @param clients number of the core of all clients
 */
public record Cores(int servers, int clients) {

    private static final Path TASKSET = Path.of("/usr/bin/taskset");
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";

    /** The first two that this process may use; empty if there are no two, or processes cannot be bound. */
    public static Optional<Cores> find() {
        if (!Files.isExecutable(TASKSET) || !Files.isReadable(STATUS)) {
            return Optional.empty();
        }
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(ALLOWED))
                    .findFirst()
                    .flatMap(line -> of(line.substring(ALLOWED.length())));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** @param list such as {@code 0-3,8} */
    static Optional<Cores> of(String list) {
        List<Integer> allowed = Stream.of(list.strip().split(","))
                .map(range -> range.split("-", 2))
                .flatMap(ends -> IntStream.rangeClosed(
                                Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
                        .boxed())
                .limit(2)
                .toList();
        return allowed.size() == 2 ? Optional.of(new Cores(allowed.get(0), allowed.get(1))) : Optional.empty();
    }

    public void bindServers(Collection<Long> pids) {
        bind(servers, pids);
    }

    public void bindClients(Collection<Long> pids) {
        bind(clients, pids);
    }

    private static void bind(int core, Collection<Long> pids) {
        pids.stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .forEach(process -> bind(core, process.pid()));
    }

    /** All threads of a process; those that it starts later inherit it. */
    private static void bind(int core, long pid) {
        try {
            Process taskset = new ProcessBuilder(TASKSET.toString(), "-acp", Integer.toString(core), Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (taskset.waitFor() != 0 && ProcessHandle.of(pid).isPresent()) {
                throw new IllegalStateException("Process " + pid + " cannot be bound to core " + core
                        + ", so servers and clients are not apart: use --layout shared");
            }
        } catch (IOException e) {
            throw new IllegalStateException("Process " + pid + " cannot be bound to core " + core, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while process " + pid + " was bound to a core", e);
        }
    }
}
