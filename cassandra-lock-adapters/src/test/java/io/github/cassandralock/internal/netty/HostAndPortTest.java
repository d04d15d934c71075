package io.github.cassandralock.internal.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostAndPortTest {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.7,10.0.0.7:1",
        "10.0.0.7:7199,10.0.0.7:7199",
        "db-7.example,db-7.example:1",
        "db_7.example:65535,db_7.example:65535",
        "2001:db8::7,[2001:db8::7]:1",
        "[2001:db8::7],[2001:db8::7]:1",
        "[2001:db8::7]:7199,[2001:db8::7]:7199",
        "::1,[::1]:1"
    })
    void portIsAddedToAHostThatHasNone(String given, String expected) {
        assertThat(HostAndPort.withPort(given, 1)).isEqualTo(expected);
        assertThat(HostAndPort.parse(expected)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a b:7199",
                "10.0.0.7:70000",
                "10.0.0.7:0",
                "10.0.0.7:-1",
                "10.0.0.7:",
                "10.0.0.7:port",
                ":7199",
                "https://host",
                "https://host:8443",
                "host/path:7199",
                "user@host:7199",
                "[]:7199",
                "[host]:7199",
                "[2001:db8::7]:70000",
                "2001:db8::7::1",
                "[2001:db8::7"
            })
    void whatIsNeitherAHostNorAHostWithAPortIsRefused(String wrong) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HostAndPort.withPort(wrong, 1))
                .withMessageContaining("'" + wrong + "' is neither a host nor host:port");
        assertThat(HostAndPort.parse(wrong)).isEmpty();
    }

    @Test
    void loopbackAddressesAreKnownWithoutALookUp() {
        assertThat(List.of("127.0.0.1:7199", "127.1.2.3:7199", "[::1]:7199", "localhost:7199", "LocalHost:7199"))
                .allMatch(HostAndPort::isLoopback);
        assertThat(List.of("10.0.0.7:7199", "[2001:db8::7]:7199", "localhost.example:7199", "db-7:7199", "localhost"))
                .noneMatch(HostAndPort::isLoopback);
    }

    @Test
    void bracketsBelongToTheTextAndNotToTheHost() {
        assertThat(HostAndPort.parse("[2001:db8::7]:7199"))
                .contains(InetSocketAddress.createUnresolved("2001:db8::7", 7199));
    }
}
