package io.github.cassandralock.internal.cassandra;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.ModeCode;
import io.github.cassandralock.internal.store.PublishedHold;
import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.WaitId;
import io.github.cassandralock.internal.store.WaitingCall;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * The calls of one process in one compressed value, because their names and locks are alike. A value of another format is not read.
 * Therefore processes whose versions differ in format do not see each other's calls. Without state.
 */
final class WaitsCodec {

    private static final byte FORMAT = 2;

    /** Far more than a process writes. */
    private static final int MOST_BYTES = 4 << 20;

    private WaitsCodec() {}

    static ByteBuffer encoded(List<PublishedWait> waits) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes))) {
            out.writeByte(FORMAT);
            write(out, waits.isEmpty() ? "" : waits.get(0).call().process());
            out.writeInt(waits.size());
            for (PublishedWait wait : waits) {
                write(out, wait);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    private static void write(DataOutputStream out, PublishedWait wait) throws IOException {
        WaitingCall call = wait.call();
        out.writeLong(wait.id().number());
        out.writeLong(wait.changed());
        write(out, call.owner());
        write(out, call.lockId());
        out.writeByte(ModeCode.of(call.mode()));
        out.writeByte(ModeCode.of(call.waitsAs()));
        out.writeByte(call.permits());
        out.writeShort(call.slot());
        out.writeLong(call.attempt());
        out.writeLong(call.ticket());
        out.writeLong(call.converts());
        out.writeByte(ModeCode.of(call.convertsFrom()));
        out.writeInt(call.held().size());
        for (PublishedHold held : call.held()) {
            out.writeLong(held.number());
            write(out, held.lockId());
            out.writeByte(ModeCode.of(held.mode()));
            out.writeByte(held.permits());
        }
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** Returns empty if this version cannot read the value: an unknown format must not be taken for a wait. */
    static Optional<List<PublishedWait>> decoded(UUID session, ByteBuffer value) {
        byte[] bytes = new byte[value.remaining()];
        value.duplicate().get(bytes);
        try (InflaterInputStream inflated = new InflaterInputStream(new ByteArrayInputStream(bytes))) {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(inflated.readNBytes(MOST_BYTES)));
            if (in.readByte() != FORMAT) {
                return Optional.empty();
            }
            String process = text(in);
            List<PublishedWait> waits = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                waits.add(wait(in, session, process));
            }
            return Optional.of(waits);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static PublishedWait wait(DataInputStream in, UUID session, String process) throws IOException {
        WaitId id = new WaitId(session, in.readLong());
        long changed = in.readLong();
        String owner = text(in);
        String lockId = text(in);
        LockMode mode = mode(in);
        LockMode waitsAs = mode(in);
        int permits = permits(in);
        int slot = in.readShort();
        long attempt = in.readLong();
        long ticket = in.readLong();
        long converts = in.readLong();
        LockMode convertsFrom = mode(in);
        List<PublishedHold> held = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            held.add(new PublishedHold(in.readLong(), text(in), mode(in), permits(in)));
        }
        return new PublishedWait(
                id,
                changed,
                new WaitingCall(
                        owner,
                        process,
                        lockId,
                        mode,
                        waitsAs,
                        permits,
                        slot,
                        attempt,
                        ticket,
                        converts,
                        convertsFrom,
                        held));
    }

    private static LockMode mode(DataInputStream in) throws IOException {
        byte code = in.readByte();
        LockMode mode = ModeCode.mode(code);
        if (ModeCode.of(mode) != code) {
            throw new IOException("no mode has the code " + code);
        }
        return mode;
    }

    private static int permits(DataInputStream in) throws IOException {
        int permits = in.readUnsignedByte();
        if (permits == 0) {
            throw new IOException("no request has zero permits");
        }
        return permits;
    }

    private static String text(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("no text has the length " + length);
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}
