package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterLimits;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;
import io.github.cassandralock.exactlyonce.register.WriteId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** A store in memory for one thread, whose reads and answers a test directs. */
public final class DirectedStore implements RegisterStore {

    /** Thrown in place of a request that the test does not let through: the process is dead. */
    public static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    private final Map<String, List<StoredValue>> registers = new HashMap<>();
    private Predicate<String> killAt = register -> false;
    private Predicate<String> loseAnswerAt = register -> false;
    private Predicate<String> showOldAt = register -> false;
    private int oldReadsOfRecords;
    private long requestsLeft = Long.MAX_VALUE;
    private long compareAndSets;
    private long reads;

    /** The next compare-and-set of such a register that can be applied is not sent, and its caller dies. */
    public void killAt(Predicate<String> register) {
        killAt = register;
    }

    /** The answer to the next compare-and-set of such a register is lost, though it is applied. */
    public void loseAnswerAt(Predicate<String> register) {
        loseAnswerAt = register;
    }

    /** The next read of such a register shows what it was before its last write. */
    public void showOldAt(Predicate<String> register) {
        showOldAt = register;
    }

    /** Deletes registers, as nobody may: for what goes wrong then. */
    public void delete(Predicate<String> register) {
        registers.keySet().removeIf(register);
    }

    /** Another store, with what this one has now. */
    public DirectedStore backup() {
        DirectedStore backup = new DirectedStore();
        registers.forEach((register, history) -> backup.registers.put(register, new ArrayList<>(history)));
        return backup;
    }

    public long registers() {
        return registers.size();
    }

    /** So many reads of low-water records show the first version, then the second, and so on. */
    public void showOldRecords(int reads) {
        oldReadsOfRecords = reads;
    }

    /** After so many requests all callers are interrupted. */
    public void allow(long requests) {
        requestsLeft = requests;
    }

    public long compareAndSets() {
        return compareAndSets;
    }

    public long reads() {
        return reads;
    }

    /** All versions, from that of a register that nobody has written. */
    public List<StoredValue> history(String register) {
        return registers.computeIfAbsent(register, name -> new ArrayList<>(List.of(StoredValue.neverWritten())));
    }

    private StoredValue present(String register) {
        List<StoredValue> history = history(register);
        return history.get(history.size() - 1);
    }

    private void count() throws InterruptedException {
        if (--requestsLeft < 0) {
            throw new InterruptedException("too many requests");
        }
    }

    @Override
    public StoredValue read(String name) throws InterruptedException {
        count();
        reads++;
        List<StoredValue> history = history(name);
        if (oldReadsOfRecords > 0 && name.endsWith("/low-water")) {
            oldReadsOfRecords--;
            return history.get(Math.max(0, history.size() - 2 - oldReadsOfRecords));
        }
        if (showOldAt.test(name) && history.size() > 1) {
            showOldAt = register -> false;
            return history.get(history.size() - 2);
        }
        return present(name);
    }

    @Override
    public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
            throws InterruptedException {
        count();
        RegisterLimits.requireRequest(name, expected, value);
        boolean isWrite = expected <= present(name).getVersion();
        if (isWrite && killAt.test(name)) {
            killAt = register -> false;
            throw new Killed();
        }
        compareAndSets++;
        StoredValue before = present(name);
        if (before.getVersion() != expected) {
            return new CompareAndSetAnswer.Refused(before);
        }
        history(name).add(StoredValue.of(expected + 1, writeId, value));
        if (loseAnswerAt.test(name)) {
            loseAnswerAt = register -> false;
            throw new UnknownOutcomeException("no answer", new IllegalStateException());
        }
        return new CompareAndSetAnswer.Applied();
    }
}
