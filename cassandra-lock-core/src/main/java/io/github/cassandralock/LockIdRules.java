package io.github.cassandralock;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Which lock ids are valid. A lock id becomes a partition key, part of log lines, and a tag of metrics. */
final class LockIdRules {

    static final int MAX_BYTES = 512;

    /** How many characters of an id a message shows. */
    private static final int SHOWN = 40;

    private static final int SOFT_HYPHEN = 0x00AD;
    private static final int BYTE_ORDER_MARK = 0xFEFF;

    /** Characters with the Unicode property Bidi_Control: they change the order in which a log line is shown. */
    private static final Set<Integer> BIDIRECTIONAL_MARKS = Set.of(0x061C, 0x200E, 0x200F);

    /** Letters and symbols without a shape. */
    private static final Set<Integer> BLANK_LETTERS = Set.of(0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0);

    private LockIdRules() {}

    /**
     * Returns the lock id if it is valid.
     *
     * @throws IllegalArgumentException that names the broken rule
     */
    static String check(@Nullable String lockId) {
        if (lockId == null) {
            throw new IllegalArgumentException("The lock id is null; name the resource to lock, e.g. \"account:42\"");
        }
        requirePrintable("lock id", lockId);
        if (!isVisible(lockId)) {
            throw new IllegalArgumentException("The lock id '" + shown(lockId)
                    + "' is blank: it has no visible character; name the resource to lock, e.g. \"account:42\"");
        }
        requireShort("lock id", lockId);
        return lockId;
    }

    /** @param what the text is, for the message */
    static void requirePrintable(String what, String text) {
        text.codePoints().filter(LockIdRules::isRefused).findFirst().ifPresent(character -> {
            throw new IllegalArgumentException("The " + what + " '" + shown(text) + "' contains " + kind(character)
                    + "; use printable characters only");
        });
    }

    /** @param what the text is, for the message */
    static void requireShort(String what, String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException("The " + what + " '" + shown(text) + "' is " + bytes
                    + " bytes long in UTF-8; at most " + MAX_BYTES
                    + " are allowed: use a shorter name or a hash of it");
        }
    }

    /** Whether the text has a character with a shape of its own, which a mark does not have. */
    static boolean isVisible(String text) {
        return text.codePoints().anyMatch(LockIdRules::isVisible);
    }

    /** The beginning of the text, with a code in place of each character without a shape. */
    static String shown(String text) {
        String beginning = text.codePoints()
                .limit(SHOWN)
                .mapToObj(character -> isVisible(character) || isMark(character) || character == ' '
                        ? Character.toString(character)
                        : String.format("\\u%04X", character))
                .collect(Collectors.joining());
        return text.codePointCount(0, text.length()) > SHOWN ? beginning + "…" : beginning;
    }

    private static boolean isRefused(int character) {
        int type = Character.getType(character);
        return type == Character.CONTROL
                || type == Character.SURROGATE
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || isBidirectional(character)
                || character == SOFT_HYPHEN
                || character == BYTE_ORDER_MARK;
    }

    private static String kind(int character) {
        String code = String.format("U+%04X", character);
        if (Character.getType(character) == Character.SURROGATE) {
            return "half of a surrogate pair, " + code + ", which UTF-8 cannot encode";
        }
        return (isBidirectional(character) ? "the bidirectional control " : "the control character ") + code;
    }

    private static boolean isBidirectional(int character) {
        return BIDIRECTIONAL_MARKS.contains(character)
                || (character >= 0x202A && character <= 0x202E)
                || (character >= 0x2066 && character <= 0x2069);
    }

    private static boolean isMark(int character) {
        int type = Character.getType(character);
        return type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK;
    }

    private static boolean isVisible(int character) {
        int type = Character.getType(character);
        boolean withoutShape = IntStream.of(
                        Character.CONTROL,
                        Character.FORMAT,
                        Character.SURROGATE,
                        Character.SPACE_SEPARATOR,
                        Character.LINE_SEPARATOR,
                        Character.PARAGRAPH_SEPARATOR)
                .anyMatch(without -> without == type);
        return !withoutShape && !isMark(character) && !BLANK_LETTERS.contains(character);
    }
}
