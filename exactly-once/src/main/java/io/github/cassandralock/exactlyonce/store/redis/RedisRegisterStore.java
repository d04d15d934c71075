package io.github.cassandralock.exactlyonce.store.redis;

import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterLimits;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import io.github.cassandralock.exactlyonce.store.StoreFailures;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Registers in Redis (exactly once, section 6). Each register is one hash, so it is in one slot. One script changes it, and it
 * never expires.
 *
 * <p>Redis forgets nothing on one server with {@code appendonly yes}, {@code appendfsync always} and {@code maxmemory-policy
 * noeviction}, which is checked. With {@code appendfsync everysec} a crash undoes up to a second of acknowledged writes, often
 * more. A failover to a replica undoes what the replica had not received, whatever the settings; {@code WAIT} does not change
 * that. A server with failover therefore does not give exactly once. All registers of a queue must be in one Redis. A crash keeps
 * a prefix of the log, so no register outlives an earlier write.
 *
 * <p>The store has a client of its own, which reconnects by itself but never sends a request twice. Thread-safe. Methods block
 * until Redis answers, for at most the time-out of the settings, and can be interrupted. {@link #close} ends the connection and the
 * client's threads.
 */
public final class RedisRegisterStore implements RegisterStore, AutoCloseable {

    /** Returns nothing if it was applied, otherwise the present fields. A hash that does not exist has version 0. */
    private static final byte[] COMPARE_AND_SET = """
            local present = redis.call('HMGET', KEYS[1], 'version', 'process', 'counter', 'value')
            if (present[1] or '0') ~= ARGV[1] then
                return present
            end
            redis.call('HSET', KEYS[1], 'version', ARGV[2], 'process', ARGV[3], 'counter', ARGV[4], 'value', ARGV[5])
            return {}
            """.getBytes(StandardCharsets.UTF_8);

    private static final Duration CLIENT_END = Duration.ofSeconds(5);

    private final RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final RedisStoreSettings settings;
    private final StoreFailures failures;
    private volatile boolean closed;

    private RedisRegisterStore(
            RedisClient client, StatefulRedisConnection<byte[], byte[]> connection, RedisStoreSettings settings) {
        this.client = client;
        this.connection = connection;
        this.settings = settings;
        this.failures = new StoreFailures(
                "the keys '" + settings.prefix() + "…' of Redis",
                "The user needs the commands EVAL, HMGET and HSET on these keys. Nothing else may write them. A Redis"
                        + " Cluster cannot be used.");
    }

    /**
     * Connects to a server, and checks that it keeps what it acknowledges. Does I/O and blocks until it is done.
     *
     * @param server its address, and how to log in
     * @param settings where the registers are
     * @return the store; to be closed
     * @throws StoreUnfitException if the server is a replica, or it may forget what it has acknowledged and {@code settings} do not
     *     allow that
     * @throws RegisterUnavailableException if the server does not answer: opening again may succeed
     */
    public static RedisRegisterStore open(RedisURI server, RedisStoreSettings settings) {
        RedisClient client = RedisClient.create(server);
        try {
            client.setOptions(options(settings));
            StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
            connection.setTimeout(settings.timeout());
            new ServerCheck(connection.sync(), settings).requireFit();
            return new RedisRegisterStore(client, connection, settings);
        } catch (RedisException e) {
            end(client);
            throw new RegisterUnavailableException(
                    "Redis at " + server.getHost() + ":" + server.getPort()
                            + " did not answer while the registers were opened: " + e
                            + ". Check the address, the user and the server, and open the registers again.",
                    e);
        } catch (RuntimeException e) {
            end(client);
            throw e;
        }
    }

    /** Requests under way when a connection is lost are not sent again. Without a connection, requests are refused. */
    private static ClientOptions options(RedisStoreSettings settings) {
        return ClientOptions.builder()
                .autoReconnect(true)
                .replayFilter(request -> true)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(settings.timeout())
                        .build())
                .build();
    }

    private static void end(RedisClient client) {
        client.shutdown(Duration.ZERO, CLIENT_END);
    }

    @Override
    public StoredValue read(String name) throws InterruptedException {
        RegisterLimits.requireName(name);
        List<KeyValue<byte[], byte[]>> fields = answer(
                () -> connection
                        .async()
                        .hmget(key(name), text("version"), text("process"), text("counter"), text("value")),
                (meaning, cause) -> failures.ofRead(name, meaning, cause));
        List<byte @Nullable []> columns = new ArrayList<>();
        for (KeyValue<byte[], byte[]> field : fields) {
            columns.add(field.getValueOrElse(null));
        }
        return stored(name, columns);
    }

    @Override
    public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
            throws InterruptedException {
        RegisterLimits.requireRequest(name, expected, value);
        byte[][] arguments = {
            text(Long.toString(expected)),
            text(Long.toString(expected + 1)),
            text(writeId.process().toString()),
            text(Long.toString(writeId.counter())),
            value.clone()
        };
        List<byte @Nullable []> present = answer(
                () -> connection
                        .async()
                        .eval(COMPARE_AND_SET, ScriptOutputType.MULTI, new byte[][] {key(name)}, arguments),
                (meaning, cause) -> failures.ofCompareAndSet(name, meaning, cause));
        return present.isEmpty()
                ? new CompareAndSetAnswer.Applied()
                : new CompareAndSetAnswer.Refused(stored(name, present));
    }

    /**
     * After an interrupt or a time-out, a request that is not sent yet is never sent.
     *
     * @param failure converts what went wrong
     */
    private <T> T answer(
            Supplier<RedisFuture<T>> request, BiFunction<FailureMeaning, Throwable, RuntimeException> failure)
            throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        RedisFuture<T> answer = sent(request, failure);
        try {
            return answer.get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | CancellationException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw failure.apply(RedisFailures.of(cause), cause);
        } finally {
            answer.cancel(true);
        }
    }

    /** What the client does not accept is certainly not sent. */
    private <T> RedisFuture<T> sent(
            Supplier<RedisFuture<T>> request, BiFunction<FailureMeaning, Throwable, RuntimeException> failure) {
        if (closed) {
            throw failure.apply(FailureMeaning.REFUSED, new RedisException("The store is closed"));
        }
        try {
            return request.get();
        } catch (RedisException e) {
            throw failure.apply(FailureMeaning.NOT_APPLIED, e);
        }
    }

    private byte[] key(String name) {
        return text(settings.prefix() + name);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** @param columns version, process, counter and value, or null for each */
    private StoredValue stored(String name, List<byte @Nullable []> columns) {
        byte[] version = columns.get(0);
        byte[] process = columns.get(1);
        byte[] counter = columns.get(2);
        byte[] value = columns.get(3);
        if (version == null) {
            return StoredValue.neverWritten();
        }
        if (process == null || counter == null || value == null) {
            throw new RegisterRefusedException(
                    "The register '" + name + "' in " + failures.place()
                            + " has a version, but no write id or no value. Something else has written the key. "
                            + failures.advice(),
                    new IllegalStateException("A field of the hash is missing"));
        }
        return StoredValue.of(number(version), new WriteId(UUID.fromString(string(process)), number(counter)), value);
    }

    private static String string(byte[] text) {
        return new String(text, StandardCharsets.UTF_8);
    }

    private static long number(byte[] text) {
        return Long.parseLong(string(text));
    }

    /** Ends the connection and the client's threads, within some seconds. Requests under way end with an unknown outcome. */
    @Override
    public void close() {
        closed = true;
        connection.close();
        end(client);
    }
}
