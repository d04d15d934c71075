package io.github.cassandralock.exactlyonce.queue;

/**
 * Where the cells of a queue are, and when a cell may be written. Index {@code i} is written once, from version {@link
 * #expectedVersion} to the next one. All programs that use a queue must use the same layout. Immutable.
 */
public sealed interface Layout {

    /** The number of the register that holds index {@code i}. */
    long cellOf(long index);

    /** The version of the register before index {@code i} is written. */
    long expectedVersion(long index);

    /**
     * The index that the register of {@code index} holds at a version. The version must not be lower than the one that holds {@code
     * index}.
     */
    long indexIn(long index, long version);

    /**
     * Whether index {@code i} may be written if all cells below {@code lowWater} have been consumed. An old {@code lowWater} is
     * safe.
     */
    boolean mayWrite(long index, long lowWater);

    /** Whether a consumed cell is overwritten by a tombstone. */
    boolean isCleaningCells();

    /** How many new indexes a busy consumer takes before it raises its mark. */
    long getIndexesBetweenMarks();

    /** The text in the low-water record. */
    String getText();

    /**
     * A fixed number of cells, used again and again. Nothing is deleted and nothing expires. A consumer that stands still stops the
     * producers once all cells are full.
     *
     * @param cells how many, 2 to 2^30
     */
    record Ring(int cells) implements Layout {

        private static final int MOST_CELLS = 1 << 30;

        /** @throws IllegalArgumentException if the number is out of bounds */
        public Ring {
            if (cells < 2 || cells > MOST_CELLS) {
                throw new IllegalArgumentException("A ring has 2 to 2^30 cells, not " + cells);
            }
        }

        @Override
        public long cellOf(long index) {
            return index % cells;
        }

        @Override
        public long expectedVersion(long index) {
            return index / cells;
        }

        @Override
        public long indexIn(long index, long version) {
            return index + (version - 1 - expectedVersion(index)) * cells;
        }

        @Override
        public boolean mayWrite(long index, long lowWater) {
            return index - cells < lowWater;
        }

        @Override
        public boolean isCleaningCells() {
            return false;
        }

        @Override
        public long getIndexesBetweenMarks() {
            return Math.max(1, cells / 4);
        }

        @Override
        public String getText() {
            return "ring:" + cells;
        }
    }

    /**
     * A cell for each index, kept permanently. A tombstone, which is the id without the payloads, overwrites a consumed cell. A
     * consumer that stands still stops nobody.
     */
    record Keep() implements Layout {

        private static final long INDEXES_BETWEEN_MARKS = 64;

        @Override
        public long cellOf(long index) {
            return index;
        }

        @Override
        public long expectedVersion(long index) {
            return 0;
        }

        @Override
        public long indexIn(long index, long version) {
            return index;
        }

        @Override
        public boolean mayWrite(long index, long lowWater) {
            return true;
        }

        @Override
        public boolean isCleaningCells() {
            return true;
        }

        @Override
        public long getIndexesBetweenMarks() {
            return INDEXES_BETWEEN_MARKS;
        }

        @Override
        public String getText() {
            return "keep";
        }
    }
}
