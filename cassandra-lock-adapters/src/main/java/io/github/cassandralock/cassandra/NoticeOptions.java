package io.github.cassandralock.cassandra;

import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * How a process exchanges notices with others. Immutable.
 *
 * @param bindAddress address of this machine to listen on; empty for the one from which this process reaches Cassandra
 * @param advertisedAddress where other processes reach this process, {@code host} or {@code host:port}; empty for the address and
 *     port that it listens on
 * @param port port to listen on; 0 for any free port
 * @param ssl encrypts notices, with the certificate and the trusted certificates of this context; empty for none. All processes
 *     that exchange notices need it, or none
 */
public record NoticeOptions(
        Optional<String> bindAddress, Optional<String> advertisedAddress, int port, Optional<SSLContext> ssl) {

    /**
     * Returns options for a port, without encryption.
     *
     * @param port port to listen on; 0 for any free port
     * @return the options
     */
    public static NoticeOptions atPort(int port) {
        return new NoticeOptions(Optional.empty(), Optional.empty(), port, Optional.empty());
    }

    /**
     * Returns these options with another address to listen on.
     *
     * @param address of this machine
     * @return the options
     */
    public NoticeOptions withBindAddress(String address) {
        return new NoticeOptions(Optional.of(address), advertisedAddress, port, ssl);
    }

    /**
     * Returns these options with another address for other processes.
     *
     * @param address {@code host} or {@code host:port}
     * @return the options
     */
    public NoticeOptions withAdvertisedAddress(String address) {
        return new NoticeOptions(bindAddress, Optional.of(address), port, ssl);
    }

    /**
     * Returns these options with encryption.
     *
     * @param context its key manager has the certificate of this process, and its trust manager decides whom it trusts
     * @return the options
     */
    public NoticeOptions withSsl(SSLContext context) {
        return new NoticeOptions(bindAddress, advertisedAddress, port, Optional.of(context));
    }
}
