package io.github.cassandralock.benchmarks.contender;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.etcd.jetcd.Lock;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.support.CloseableClient;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.util.StringUtils;

/**
 * jetcd's lock. A lease is kept alive for the contender's life, as the locks of a process share one; so does one lock by
 * several threads of a process, which is why each of them would need a contender of its own.
 */
final class EtcdContender implements Contender {

    private static final long LEASE_SECONDS = 15;
    private static final long FIRST_ANSWER_SECONDS = 30;

    private final SentMessages messages = new SentMessages();
    private final Client client;
    private final Lock locks;
    private final long lease;
    private final CloseableClient renewal;

    /** Counts the messages of all calls, be they one or a stream. */
    private static final class SentMessages implements ClientInterceptor {

        private final AtomicLong count = new AtomicLong();

        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void sendMessage(Q message) {
                    count.incrementAndGet();
                    super.sendMessage(message);
                }
            };
        }
    }

    private static final class IgnoredAnswers implements StreamObserver<LeaseKeepAliveResponse> {

        @Override
        public void onNext(LeaseKeepAliveResponse answer) {
            // renewed
        }

        @Override
        public void onError(Throwable failure) {
            System.err.println("etcd's lease is not renewed any more: " + failure);
        }

        @Override
        public void onCompleted() {
            // closed
        }
    }

    EtcdContender(String endpoints, boolean counted) throws ExecutionException, InterruptedException, TimeoutException {
        ClientBuilder builder = Client.builder().endpoints(StringUtils.commaDelimitedListToStringArray(endpoints));
        if (counted) {
            builder.interceptor(messages);
        }
        client = builder.build();
        lease = client.getLeaseClient()
                .grant(LEASE_SECONDS)
                .get(FIRST_ANSWER_SECONDS, TimeUnit.SECONDS)
                .getID();
        renewal = client.getLeaseClient().keepAlive(lease, new IgnoredAnswers());
        locks = client.getLockClient();
    }

    @Override
    public Hold acquire(String lockId) throws ExecutionException, InterruptedException {
        ByteSequence name = ByteSequence.from(lockId, StandardCharsets.UTF_8);
        ByteSequence key = locks.lock(name, lease).get().getKey();
        return () -> locks.unlock(key).get();
    }

    @Override
    public long requests() {
        return messages.count.get();
    }

    @Override
    public void close() {
        renewal.close();
        client.close();
    }
}
