package io.github.cassandralock.it;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A program that does not know the secret, and connects to where a process takes notices, again and again until it is closed:
 * it sends random bytes, frames that are too long or end too early, and notices under a wrong secret.
 */
final class AlienTraffic implements AutoCloseable {

    private static final int CODE_BYTES = 32;
    private static final int LONGEST = 64 * 1024;

    /** With another one, the code would not be looked at. */
    private static final byte VERSION = 3;

    private final String host;
    private final int port;
    private final List<byte[]> contents;
    private final AtomicInteger connections = new AtomicInteger();
    private final Thread thread;
    private volatile boolean closed;

    /** @param session the receiver of the forged notices */
    AlienTraffic(String address, UUID session, String lockId) {
        int colon = address.lastIndexOf(':');
        this.host = address.substring(0, colon);
        this.port = Integer.parseInt(address.substring(colon + 1));
        this.contents = List.of(
                random(new SplittableRandom(1)),
                ByteBuffer.allocate(Integer.BYTES + LONGEST)
                        .putInt(Integer.MAX_VALUE)
                        .array(),
                ByteBuffer.allocate(20).putInt(100).array(),
                forged(session, lockId));
        this.thread = new Thread(this::send, "alien");
        thread.start();
    }

    private static byte[] random(SplittableRandom random) {
        byte[] bytes = new byte[100_000];
        random.nextBytes(bytes);
        return bytes;
    }

    /** An OVER that says: another session's attempts are over. */
    private static byte[] forged(UUID session, String lockId) {
        ByteBuffer frame = ByteBuffer.allocate(1_000).position(Integer.BYTES).put(VERSION);
        put(frame, new UUID(7, 7));
        put(frame, session);
        frame.put((byte) 3).putShort((short) lockId.length()).put(lockId.getBytes(StandardCharsets.UTF_8));
        frame.putShort((short) 1);
        put(frame, session);
        frame.putShort((short) 0).putLong(Long.MAX_VALUE).put((byte) 0).putLong(0);
        byte[] content = new byte[frame.position() - Integer.BYTES];
        frame.get(Integer.BYTES, content);
        frame.put(code(content)).putInt(0, content.length + CODE_BYTES).flip();
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        return bytes;
    }

    private static void put(ByteBuffer frame, UUID id) {
        frame.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    }

    private static byte[] code(byte[] content) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(new byte[16], "HmacSHA256"));
            return mac.doFinal(content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private void send() {
        for (int i = 0; !closed; i++) {
            try (Socket socket = new Socket(host, port)) {
                connections.incrementAndGet();
                socket.getOutputStream().write(contents.get(i % contents.size()));
            } catch (IOException e) {
                // the other side has closed first
            }
        }
    }

    int connections() {
        return connections.get();
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join();
    }
}
