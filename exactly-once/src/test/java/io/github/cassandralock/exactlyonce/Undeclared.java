package io.github.cassandralock.exactlyonce;

/** Throws checked exceptions that no signature declares, as code in Kotlin may do. */
public final class Undeclared {

    private Undeclared() {}

    /**
     * Throws an exception.
     *
     * @param exception to throw
     * @return never, so that callers may write {@code throw}
     */
    public static RuntimeException thrown(Exception exception) {
        Undeclared.<RuntimeException>throwUnchecked(exception);
        throw new AssertionError("unreachable");
    }

    @SuppressWarnings("unchecked") // the cast does nothing at run time
    private static <E extends Exception> void throwUnchecked(Exception exception) throws E {
        throw (E) exception;
    }
}
