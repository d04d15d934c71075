package io.github.cassandralock.it;

import static io.github.cassandralock.it.FleetInstance.Call.hold;
import static io.github.cassandralock.it.FleetInstance.Call.repeat;
import static io.github.cassandralock.it.FleetInstance.Call.waitFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.cassandralock.it.FleetInstance.Call;
import io.github.cassandralock.testing.browser.Browser;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.github.cassandralock.testing.processes.JvmProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The page of a fleet: five processes of three applications, each on a host of its own. It costs about a minute, and makes the
 * screenshots of the documentation. It would catch a page that shows no host, no application or no thread.
 */
@Tag("slow")
@Tag("nightly")
@Tag("once")
@ExtendWith(SharedCassandra.class)
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class FleetPictureIT {

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final String CROWDED = "stock:2026/winter";
    private static final String SHOP = "shop-7c9d4f6b8-x2lqk";
    private static final String SECOND_SHOP = "shop-7c9d4f6b8-m5tzw";

    /** How many seconds the curve of hand-overs has. */
    private static final String POINTS =
            "return document.querySelector('#rate-chart polyline').getAttribute('points').split(' ').length";

    private final CassandraCluster cluster;
    private final List<JvmProcess> fleet = new ArrayList<>();

    FleetPictureIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    @AfterEach
    void endFleet() throws InterruptedException {
        for (JvmProcess instance : fleet) {
            instance.close();
        }
    }

    private String start(String host, String application, Call... calls) throws Exception {
        JvmProcess instance = FleetInstance.start(cluster, host, application, List.of(calls));
        fleet.add(instance);
        return FleetInstance.page(instance);
    }

    @Test
    void pageShowsHostsApplicationsAndThreadsOfAFleet() throws Exception {
        assumeTrue(JvmProcess.canNameHosts(), "needs the right to name the host of a process");
        try (Browser browser = Browser.open()) {
            String page = startFleet();
            browser.size(1280, 900, false).colours("light");
            browser.driver().get(page + LocksEndpoint.query(CROWDED));
            eventually(() -> assertThat(browser.all("#queue > li")).hasSize(3));
            assertThat(browser.texts("#queue > li").get(0))
                    .contains(SHOP, "Holder", "This process", "http-nio-8080-exec-3", "http-nio-8080-exec-8 waits");
            assertThat(String.join(" ", browser.texts("#queue > li"))).contains(SECOND_SHOP, "warehouse-1");
            eventually(() -> assertThat(browser.all("#session-rows tr")).hasSize(5));
            eventually(() -> assertThat(browser.script(POINTS)).asString().matches("[1-9][0-9]+"));
            browser.screenshot("locks-light");
            browser.colours("dark");
            browser.screenshot("locks-dark");
            browser.size(390, 844, true).colours("light");
            browser.screenshot("locks-phone");
        }
    }

    /** @return the page of the instance whose threads hold the most */
    private String startFleet() throws Exception {
        start("billing-0", "billing", hold("invoice:2026-11/0042", "invoicing-1"));
        start("warehouse-0", "warehouse", hold("pallet:A-17", "inventory-sync-2"));
        String page = start(
                SHOP,
                "shop",
                hold(CROWDED, "http-nio-8080-exec-3"),
                waitFor(CROWDED, "http-nio-8080-exec-8"),
                waitFor(CROWDED, "http-nio-8080-exec-2"),
                hold("customer:8812", "http-nio-8080-exec-1"),
                hold("export:daily", "scheduling-1"),
                waitFor("invoice:2026-11/0042", "http-nio-8080-exec-7"),
                waitFor("pallet:A-17", "http-nio-8080-exec-5"),
                repeat("cart:531", "http-nio-8080-exec-4"),
                repeat("cart:531", "http-nio-8080-exec-6"));
        start(
                SECOND_SHOP,
                "shop",
                waitFor(CROWDED, "http-nio-8080-exec-9"),
                repeat("cart:531", "http-nio-8080-exec-2"),
                waitFor("customer:8812", "http-nio-8080-exec-6"));
        start("warehouse-1", "warehouse", waitFor(CROWDED, "inventory-sync-1"));
        return page;
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(BOUND).ignoreExceptions().untilAsserted(assertion);
    }
}
