package io.github.cassandralock.internal.key;

/** A part of a key cannot name a resource. The message has the part and the reason, and {@link #advice} what to write instead. */
public final class UnusablePartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String advice;

    UnusablePartException(String problem, String advice) {
        super(problem);
        this.advice = advice;
    }

    static UnusablePartException ofNull(String part) {
        return new UnusablePartException(
                part + " is null, and all calls with null would share one lock",
                "If they are to share one, write a word for it: " + part + " ?: 'none'");
    }

    /** Returns the exception for a value whose type cannot be a part. */
    public static UnusablePartException ofType(String part, Class<?> type) {
        return new UnusablePartException(
                part + " is of the type " + type.getTypeName() + ", which cannot be a part of a key",
                PartAdvice.insteadOf(part, type));
    }

    /** @param value an expression whose value can differ between processes, even for equal objects */
    static UnusablePartException ofProcess(String value) {
        return new UnusablePartException(
                value + " can be another one in each process, so they would not share the lock",
                "Write what names the resource");
    }

    /** What to write instead: a sentence without its full stop. */
    public String advice() {
        return advice;
    }
}
