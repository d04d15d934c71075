package io.github.cassandralock.exactlyonce.queue;

import java.util.regex.Pattern;

/** The rule for names of queues, producers and consumers, which become parts of names of registers. */
public final class Names {

    /** In characters. */
    public static final int MAX_LENGTH = 200;

    private static final Pattern ALLOWED = Pattern.compile("[\\p{Alnum}._:-]{1," + MAX_LENGTH + "}");

    private Names() {}

    /**
     * Checks a name.
     *
     * @param what is named, such as "queue"
     * @param name to check
     * @return the name
     * @throws IllegalArgumentException if the name is empty or longer than 200; if it has other characters than letters, digits,
     *     dot, underscore, colon and hyphen
     */
    public static String checked(String what, String name) {
        if (!ALLOWED.matcher(name).matches()) {
            throw new IllegalArgumentException("The name of a " + what
                    + " has 1 to 200 letters, digits, dots, underscores, colons and hyphens; this name has not: '"
                    + name + "'");
        }
        return name;
    }
}
