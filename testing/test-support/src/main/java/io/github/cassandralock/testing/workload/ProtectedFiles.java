package io.github.cassandralock.testing.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * For workers in processes of their own: a file per counter, a file per register. The system keeps what a killed process
 * wrote.
 */
public final class ProtectedFiles implements ProtectedResource, AutoCloseable {

    private final Path directory;
    private final Map<String, FileChannel> counters = new ConcurrentHashMap<>();
    private final Map<String, FileChannel> registers = new ConcurrentHashMap<>();

    /** File locks exclude processes only. */
    private final ReentrantLock registering = new ReentrantLock();

    public ProtectedFiles(Path directory) {
        this.directory = directory;
    }

    @Override
    public long read(String lockId) throws IOException {
        return number(counter(lockId));
    }

    @Override
    public void write(String lockId, long value) throws IOException {
        writeNumber(counter(lockId), value);
    }

    @Override
    public boolean register(String lockId, long token, String worker, long sequence) throws IOException {
        FileChannel register = registers.computeIfAbsent(lockId, id -> open(id + ".tokens"));
        registering.lock();
        try (FileLock exclusive = register.lock()) {
            if (exclusive.isValid() && number(register) >= token) {
                return false;
            }
            writeNumber(register, token);
            String entry = token + " " + worker + " " + sequence + "\n";
            register.write(ByteBuffer.wrap(entry.getBytes(StandardCharsets.UTF_8)), register.size());
            return true;
        } finally {
            registering.unlock();
        }
    }

    private FileChannel counter(String lockId) {
        return counters.computeIfAbsent(lockId, id -> open(id + ".count"));
    }

    private FileChannel open(String name) {
        try {
            return FileChannel.open(
                    directory.resolve(name),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long number(FileChannel file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES);
        return file.read(bytes, 0) == Long.BYTES ? bytes.getLong(0) : 0;
    }

    private static void writeNumber(FileChannel file, long number) throws IOException {
        file.write(ByteBuffer.allocate(Long.BYTES).putLong(0, number), 0);
    }

    @Override
    public void close() throws IOException {
        for (FileChannel counter : counters.values()) {
            counter.close();
        }
        for (FileChannel register : registers.values()) {
            register.close();
        }
    }
}
