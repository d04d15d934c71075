package io.github.cassandralock.local;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reports of a node's process so far, see {@link NodeMain}.
 *
 * <p>Written by the one thread that reads the process's standard output and ends with the process. Read by any thread.
 */
final class NodeReports {

    private static final Logger log = LoggerFactory.getLogger(NodeReports.class);
    private static final long UNKNOWN = -1;

    private final Runnable onChange;
    private volatile long pid = UNKNOWN;
    private volatile boolean started;
    private volatile boolean ended;
    private volatile Map<String, String> view = Map.of();

    /** @param onChange called by the reading thread after every change */
    NodeReports(Runnable onChange) {
        this.onChange = onChange;
    }

    /** Reads until the process closes its output, that is, until it ends. */
    void readAll(InputStream output) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                read(line);
            }
        } catch (IOException e) {
            log.debug("A node's reports broke off", e);
        } finally {
            ended = true;
            onChange.run();
        }
    }

    void read(String line) {
        if (!line.startsWith(NodeMain.PREFIX)) {
            log.debug("A node writes: {}", line);
            return;
        }
        String report = line.substring(NodeMain.PREFIX.length());
        if (report.startsWith(NodeMain.PID)) {
            pid = Long.parseLong(report.substring(NodeMain.PID.length()));
        } else if (report.equals(NodeMain.STARTED)) {
            started = true;
        } else if (report.startsWith(NodeMain.VIEW)) {
            view = parsedView(report.substring(NodeMain.VIEW.length()));
        }
        onChange.run();
    }

    private static Map<String, String> parsedView(String text) {
        Map<String, String> generations = new HashMap<>();
        for (String entry : text.split(",", -1)) {
            int equals = entry.indexOf('=');
            if (equals > 0) {
                generations.put(entry.substring(0, equals), entry.substring(equals + 1));
            }
        }
        return Map.copyOf(generations);
    }

    /** The process id of the JVM. With a command prefix, it may differ from the id of the process started here. */
    OptionalLong pid() {
        long known = pid;
        return known == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(known);
    }

    boolean started() {
        return started;
    }

    boolean ended() {
        return ended;
    }

    /** The hosts that the node sees up, including itself, each with a generation that changes when it restarts. */
    Map<String, String> view() {
        return view;
    }
}
