package io.github.cassandralock.benchmarks.worker;

import io.github.cassandralock.testing.statistics.Grant;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The counted grants of one thread, in arrays of numbers: some algorithms grant a lock a million times in one turn, and neither
 * objects nor the growth of a list is to be measured. For one thread at a time.
 */
final class Notes {

    private static final int FIGURES = 4;
    private static final int CHUNK = 1_024 * FIGURES;

    private final int contender;
    private final List<long[]> chunks = new ArrayList<>();
    private int used = CHUNK;
    private int count;

    /** @param contender of the process, from 1 */
    Notes(int contender) {
        this.contender = contender;
    }

    void add(int lock, boolean shared, long askedAt, long enteredAt, long leftAt) {
        if (used == CHUNK) {
            chunks.add(new long[CHUNK]);
            used = 0;
        }
        long[] chunk = chunks.get(chunks.size() - 1);
        chunk[used++] = shared ? -1L - lock : lock;
        chunk[used++] = askedAt;
        chunk[used++] = enteredAt;
        chunk[used++] = leftAt;
        count++;
    }

    int count() {
        return count;
    }

    /** Those of a process. */
    static void write(List<Notes> all, Path file) throws IOException {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            out.writeInt(all.size());
            for (Notes notes : all) {
                out.writeInt(notes.contender);
                out.writeInt(notes.count);
                for (int i = 0; i < notes.count * FIGURES; i++) {
                    out.writeLong(notes.chunks.get(i / CHUNK)[i % CHUNK]);
                }
            }
        }
    }

    /** What {@link #write} has written in the process with this number. */
    static List<Grant> read(Path file, int process) throws IOException {
        List<Grant> grants = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            for (int threads = in.readInt(); threads > 0; threads--) {
                int contender = in.readInt();
                for (int rest = in.readInt(); rest > 0; rest--) {
                    long lock = in.readLong();
                    grants.add(new Grant(
                            process,
                            contender,
                            (int) (lock < 0 ? -1 - lock : lock),
                            in.readLong(),
                            in.readLong(),
                            in.readLong(),
                            lock < 0));
                }
            }
        }
        return grants;
    }
}
