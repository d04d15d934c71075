package io.github.cassandralock.autoconfigure.notices;

import io.github.cassandralock.internal.netty.TransportSettings.Tls;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContextBuilder;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;

/** The SSL bundle of notices: whose certificate a process shows, and whom it trusts. Thread-safe. */
final class NoticeCertificates implements Supplier<Tls> {

    private static final Logger log = LoggerFactory.getLogger(NoticeCertificates.class);

    private final String name;
    private volatile Tls latest;

    private NoticeCertificates(String name, Tls first) {
        this.name = name;
        this.latest = first;
    }

    /**
     * Follows the bundle of this name from now on.
     *
     * @throws org.springframework.boot.ssl.NoSuchSslBundleException if there is none
     * @throws SSLException or IllegalStateException if both sides of a connection cannot be encrypted with it
     */
    static NoticeCertificates of(String name, SslBundles bundles) throws SSLException {
        NoticeCertificates certificates = new NoticeCertificates(name, contexts(bundles.getBundle(name)));
        bundles.addBundleUpdateHandler(name, certificates::reloaded);
        return certificates;
    }

    /** Returns both sides of new connections. */
    @Override
    public Tls get() {
        return latest;
    }

    private void reloaded(SslBundle bundle) {
        try {
            latest = contexts(bundle);
            log.info("New connections for notices use the SSL bundle '{}' as it was reloaded", name);
        } catch (SSLException | RuntimeException e) {
            log.warn(
                    "The SSL bundle '{}' was reloaded, but cannot be used for notices: {}. They go on with what it contained"
                            + " before. Correct the bundle below 'spring.ssl.bundle'",
                    name,
                    e.getMessage());
        }
    }

    private static Tls contexts(SslBundle bundle) throws SSLException {
        refuseIfIncomplete(bundle.getStores());
        var keys = bundle.getManagers().getKeyManagerFactory();
        return new Tls(
                with(bundle, SslContextBuilder.forServer(keys).clientAuth(ClientAuth.REQUIRE))
                        .build(),
                with(bundle, SslContextBuilder.forClient().keyManager(keys)).build());
    }

    /** Without a trust store, any certificate of a public authority would be trusted. */
    private static void refuseIfIncomplete(SslStoreBundle stores) {
        try {
            KeyStore keys = stores.getKeyStore();
            if (keys == null || Collections.list(keys.aliases()).stream().noneMatch(alias -> isKey(keys, alias))) {
                throw new IllegalStateException("it has no key store with a private key");
            }
            KeyStore trusted = stores.getTrustStore();
            if (trusted == null || trusted.size() == 0) {
                throw new IllegalStateException("it has no trust store with a certificate");
            }
        } catch (KeyStoreException e) {
            throw new IllegalStateException("its stores cannot be read: " + e.getMessage(), e);
        }
    }

    private static boolean isKey(KeyStore keys, String alias) {
        try {
            return keys.isKeyEntry(alias);
        } catch (KeyStoreException e) {
            throw new IllegalStateException("its key store cannot be read: " + e.getMessage(), e);
        }
    }

    private static SslContextBuilder with(SslBundle bundle, SslContextBuilder builder) {
        SslOptions options = bundle.getOptions();
        String @Nullable [] ciphers = options.getCiphers();
        return builder.trustManager(bundle.getManagers().getTrustManagerFactory())
                .protocols(options.getEnabledProtocols())
                .ciphers(ciphers == null ? null : Arrays.asList(Objects.requireNonNull(ciphers)));
    }
}
