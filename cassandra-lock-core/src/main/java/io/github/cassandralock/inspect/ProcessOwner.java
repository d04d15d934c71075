package io.github.cassandralock.inspect;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process behind a session or a thread id, as far as the text in Cassandra shows it.
 *
 * @param text as it is stored
 * @param host the name that the process has for its machine
 * @param pid its process id on that machine
 * @param application the value of {@code spring.application.name}, if there was one
 */
public record ProcessOwner(String text, Optional<String> host, OptionalLong pid, Optional<String> application) {

    /** An unknown process, for example because the row of its session has expired. */
    public static final ProcessOwner UNKNOWN =
            new ProcessOwner("unknown", Optional.empty(), OptionalLong.empty(), Optional.empty());

    /** {@code host-pid application}; a host has no spaces. */
    private static final Pattern OWNER = Pattern.compile("(\\S+)-(\\d{1,18})(?: (.+))?");

    /** {@code host-pid-uuid-number}. */
    private static final Pattern THREAD_ID = Pattern.compile("(\\S+)-(\\d{1,18})-[0-9a-fA-F-]{36}-\\d+");

    /**
     * Returns the owner of a session, whose row has for example {@code billing-3-4711 invoices}.
     *
     * @param text as it is stored
     * @return the process
     */
    public static ProcessOwner ofSession(String text) {
        Matcher owner = OWNER.matcher(text);
        return owner.matches() ? new ProcessOwner(text, owner, Optional.ofNullable(owner.group(3))) : unparsed(text);
    }

    /**
     * Returns the process of an acquisition, from the thread id that its locker made.
     *
     * @param threadId the name of the acquisition
     * @return the process
     */
    public static ProcessOwner ofThreadId(String threadId) {
        Matcher owner = THREAD_ID.matcher(threadId);
        return owner.matches() ? new ProcessOwner(threadId, owner, Optional.empty()) : unparsed(threadId);
    }

    private ProcessOwner(String text, Matcher owner, Optional<String> application) {
        this(text, Optional.of(owner.group(1)), OptionalLong.of(Long.parseLong(owner.group(2))), application);
    }

    private static ProcessOwner unparsed(String text) {
        return new ProcessOwner(text, Optional.empty(), OptionalLong.empty(), Optional.empty());
    }
}
