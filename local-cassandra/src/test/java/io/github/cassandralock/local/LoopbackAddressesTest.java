package io.github.cassandralock.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LoopbackAddressesTest {

    private static final long SEED = 17;

    @Test
    void singleNodeListensAtTheOneAddressEverySystemHas() {
        assertThat(choose(SEED, 1).hosts())
                .extracting(InetAddress::getHostAddress)
                .containsExactly("127.0.0.1");
    }

    @Test
    void severalNodesShareASubnetOfTheirOwn() {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "other systems set up 127.0.0.1 only");
        ClusterAddresses addresses = choose(SEED, 3);

        String subnet = addresses.hosts().get(0).getHostAddress().replaceFirst("1$", "");
        assertThat(subnet).startsWith("127.").isNotEqualTo("127.0.0.");
        assertThat(addresses.hosts())
                .extracting(InetAddress::getHostAddress)
                .containsExactly(subnet + "1", subnet + "2", subnet + "3");
    }

    @Test
    void theTwoPortsDiffer() {
        ClusterAddresses addresses = choose(SEED, 1);

        assertThat(addresses.nativePort()).isNotEqualTo(addresses.storagePort());
    }

    @Test
    void portThatIsTakenIsNotChosen() throws IOException {
        ClusterAddresses first = choose(SEED, 1);
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(first.hosts().get(0), first.nativePort()));

            ClusterAddresses second = choose(SEED, 1);

            assertThat(second.nativePort()).isNotEqualTo(first.nativePort());
            assertThat(second.storagePort()).isNotEqualTo(first.nativePort());
        }
    }

    private static ClusterAddresses choose(long seed, int nodes) {
        return new LoopbackAddresses(new Random(seed)).choose(nodes);
    }
}
