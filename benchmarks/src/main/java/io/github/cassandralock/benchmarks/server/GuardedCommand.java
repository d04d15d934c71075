package io.github.cassandralock.benchmarks.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A command under guard: at the end of its standard input, it is stopped and its directory deleted.
 *
 * <p>That end comes when this JVM closes the stream or is no more, {@code kill -9} included, and also when the command
 * itself has ended. The command becomes the process itself, and the guard is a shell beside it. Each is in a session of
 * its own: a terminal's signals are for this JVM alone, and the command's process group can be killed without the guard.
 */
final class GuardedCommand {

    /** The process group, the signal to stop it with, and the directory. */
    private static final String GUARD = """
            read -r line
            kill -s "$2" -- "-$1"
            tenths=50
            while kill -s 0 -- "-$1" && [ "$tenths" -gt 0 ]; do
                sleep 0.1
                tenths=$((tenths - 1))
            done
            kill -s KILL -- "-$1"
            rm -rf -- "$3"
            """;

    /**
     * The guard's script, signal and directory, and the command. Parentheses make the guard an orphan: a server could
     * take offence at a child that it does not know.
     */
    private static final String START = """
            exec 3<&0
            (setsid sh -c "$1" guard "$$" "$2" "$3" <&3 3<&- >/dev/null 2>&1 &)
            shift 3
            exec "$@" </dev/null 3<&-
            """;

    private GuardedCommand() {}

    static List<String> of(NodePlan plan, Path directory) {
        List<String> words = new ArrayList<>(
                List.of("setsid", "sh", "-c", START, "start", GUARD, plan.stopSignal(), directory.toString()));
        plan.user().ifPresent(user -> words.addAll(changeTo(user)));
        words.addAll(plan.command());
        return words;
    }

    private static List<String> changeTo(String user) {
        return List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--init-groups");
    }
}
