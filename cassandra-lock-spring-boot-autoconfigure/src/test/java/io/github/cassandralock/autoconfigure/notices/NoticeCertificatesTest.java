package io.github.cassandralock.autoconfigure.notices;

import static io.github.cassandralock.internal.netty.TransportProbe.port;
import static io.github.cassandralock.internal.netty.TransportProbe.receivedBy;
import static io.github.cassandralock.internal.netty.TransportProbe.unsent;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.netty.NettyNoticeTransport;
import io.github.cassandralock.internal.netty.TransportSettings;
import io.github.cassandralock.internal.notice.UnsentFrame;
import io.github.cassandralock.internal.time.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Costs ten seconds. Who may connect if notices are encrypted: real sockets on the loopback address, certificates by keytool. */
@ExtendWith(OutputCaptureExtension.class)
class NoticeCertificatesTest {

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final Duration LEAVE_ALONE = Duration.ofMillis(500);
    private static final String PASSWORD = "secret";
    private static final String BUNDLE = "locks";
    private static final byte[] BYTES = "a frame".getBytes(US_ASCII);
    private static final UnsentFrame FRAME = unsent(BYTES);

    private final List<NettyNoticeTransport> open = new ArrayList<>();
    private final Path directory;
    private final KeyStore fleet;

    NoticeCertificatesTest(@TempDir Path directory) throws Exception {
        this.directory = directory;
        this.fleet = keys("fleet");
    }

    /** A key, and a certificate that it has signed itself. */
    private KeyStore keys(String name) throws Exception {
        Path file = directory.resolve(name + ".p12");
        if (!Files.exists(file)) {
            List<String> command = List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    name,
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=" + name,
                    "-keystore",
                    file.toString(),
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    PASSWORD);
            Process keytool = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assertThat(keytool.waitFor()).as("%s", command).isZero();
        }
        return KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
    }

    /** The certificates of these keys, without the keys. */
    private static KeyStore certificates(KeyStore... keys) throws Exception {
        KeyStore certificates = KeyStore.getInstance("PKCS12");
        certificates.load(null, null);
        for (KeyStore one : keys) {
            String alias = one.aliases().nextElement();
            certificates.setCertificateEntry(alias, one.getCertificate(alias));
        }
        return certificates;
    }

    private static SslBundle bundle(@Nullable KeyStore keys, @Nullable KeyStore trusted) {
        return SslBundle.of(SslStoreBundle.of(keys, PASSWORD, trusted));
    }

    private NettyNoticeTransport transport(SslBundle bundle) throws Exception {
        return transport(new DefaultSslBundleRegistry(BUNDLE, bundle));
    }

    private NettyNoticeTransport transport(DefaultSslBundleRegistry bundles) throws Exception {
        NettyNoticeTransport transport = new NettyNoticeTransport(
                "cassandra-lock-",
                TransportSettings.of(
                        new InetSocketAddress(LOOPBACK, 0),
                        Optional.empty(),
                        LEAVE_ALONE,
                        Optional.of(NoticeCertificates.of(BUNDLE, bundles))),
                Ticker.system(),
                delay -> new CompletableFuture<>(),
                new ProtocolCounters());
        open.add(transport);
        return transport;
    }

    @AfterEach
    void close() {
        open.forEach(NettyNoticeTransport::close);
    }

    @Test
    void framesArriveEncryptedFromTheFleetAndFromNobodyElse(CapturedOutput output) throws Exception {
        NettyNoticeTransport one = transport(bundle(fleet, certificates(fleet)));
        NettyNoticeTransport other = transport(bundle(fleet, certificates(fleet)));
        List<String> received = receivedBy(other);
        for (int i = 0; i < 10; i++) {
            one.send(other.address(), FRAME);
        }
        await().until(() -> received.size() == 10);

        KeyStore strange = keys("stranger");
        NettyNoticeTransport stranger = transport(bundle(strange, certificates(strange, fleet)));
        stranger.send(other.address(), FRAME);
        await("a stranger that trusts the fleet").until(() -> !stranger.mayReach(other.address()));
        NettyNoticeTransport distrustful = transport(bundle(fleet, certificates(strange)));
        distrustful.send(other.address(), FRAME);
        await("one that does not").until(() -> !distrustful.mayReach(other.address()));
        await().untilAsserted(() -> assertThat(output)
                .contains("No notices are sent to " + other.address())
                .contains("because the TLS handshake failed: ")
                .contains("A connection from /127.0.0.1:"));
        try (Socket plain = new Socket(LOOPBACK, port(other))) {
            sendAndReadToTheEnd(plain);
        }
        assertThat(received).hasSize(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void strangerThatTrustsTheFleetAndShowsNoCertificateIsRefused(String protocol) throws Exception {
        NettyNoticeTransport transport = transport(bundle(fleet, certificates(fleet)));
        List<String> received = receivedBy(transport);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(certificates(fleet));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(LOOPBACK, port(transport))) {
            socket.setEnabledProtocols(new String[] {protocol});
            assertThatThrownBy(() -> sendAndReadToTheEnd(socket)).isInstanceOf(IOException.class);
        }
        assertThat(received).isEmpty();
    }

    /** What comes is an alert of TLS at most. */
    private static void sendAndReadToTheEnd(Socket socket) throws IOException {
        socket.setSoTimeout(10_000);
        socket.getOutputStream()
                .write(ByteBuffer.allocate(Integer.BYTES + BYTES.length)
                        .putInt(BYTES.length)
                        .put(BYTES)
                        .array());
        socket.getInputStream().readAllBytes();
    }

    @Test
    void handshakeThatDoesNotProceedEndsInTime() throws Exception {
        NettyNoticeTransport transport = transport(bundle(fleet, certificates(fleet)));
        try (Socket silent = new Socket(LOOPBACK, port(transport));
                ServerSocket deaf = new ServerSocket(0, 1, LOOPBACK)) {
            silent.setSoTimeout(3_000); // shorter than strangers may stay, longer than a connection may take
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
            String address = LOOPBACK.getHostAddress() + ":" + deaf.getLocalPort();
            transport.send(address, FRAME);
            await().atMost(Duration.ofSeconds(5)).until(() -> !transport.mayReach(address));
        }
    }

    @Test
    void bundleThatLacksAStoreIsRefused() throws Exception {
        assertRefused(bundle(null, certificates(fleet)), "no key store with a private key");
        assertRefused(bundle(certificates(fleet), certificates(fleet)), "no key store with a private key");
        assertRefused(bundle(fleet, null), "no trust store with a certificate");
        assertRefused(bundle(fleet, certificates()), "no trust store with a certificate");
    }

    private static void assertRefused(SslBundle bundle, String why) {
        assertThatThrownBy(() -> NoticeCertificates.of(BUNDLE, new DefaultSslBundleRegistry(BUNDLE, bundle)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(why);
    }

    @Test
    void newConnectionsUseABundleThatWasReloaded() throws Exception {
        DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry(BUNDLE, bundle(fleet, certificates(fleet)));
        NettyNoticeTransport transport = transport(bundles);
        List<String> received = receivedBy(transport);
        KeyStore next = keys("next");
        NettyNoticeTransport successor = transport(bundle(next, certificates(next)));
        successor.send(transport.address(), FRAME);
        await().until(() -> !successor.mayReach(transport.address()));
        bundles.updateBundle(BUNDLE, bundle(next, certificates(next)));
        await().until(() -> {
            successor.send(transport.address(), FRAME);
            return !received.isEmpty();
        });
    }

    @Test
    void bundleThatWasReloadedAndCannotBeUsedIsReportedAndNotUsed(CapturedOutput output) throws Exception {
        DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry(BUNDLE, bundle(fleet, certificates(fleet)));
        NettyNoticeTransport transport = transport(bundles);
        List<String> received = receivedBy(transport);
        bundles.updateBundle(BUNDLE, bundle(fleet, null));
        assertThat(output)
                .contains("The SSL bundle 'locks' was reloaded, but cannot be used for notices: it has no trust");
        transport(bundle(fleet, certificates(fleet))).send(transport.address(), FRAME);
        await().until(() -> received.size() == 1);
    }
}
