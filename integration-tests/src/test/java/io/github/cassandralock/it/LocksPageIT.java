package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.browser.Browser;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.springframework.boot.WebApplicationType;

/**
 * The page of the endpoint in a real browser, on a real Cassandra, with fifty locks that are waited for. It costs about a
 * minute, and would catch a page that does not work without a mouse, is wider than a phone, cannot be read in the dark, or takes
 * a lock id for markup.
 */
@Tag("slow")
@Tag("once")
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class LocksPageIT {

    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final int FIFTY = 50;
    private static final String SCRIPT =
            "<script>document.title='broken into'</script><img src=x onerror=\"document.title='broken into'\">";
    private static final String CROWDED = "stock:2024/winter";

    private final Application shown;
    private final Application other;
    private final Application third;
    private final List<RemoteLock> held = new ArrayList<>();
    private final List<CompletableFuture<RemoteLock>> waiting = new ArrayList<>();
    private Browser browser;

    LocksPageIT(CassandraCluster cluster) {
        shown = start(cluster, "shop");
        other = start(cluster, "billing");
        third = start(cluster, "warehouse");
    }

    private static Application start(CassandraCluster cluster, String name) {
        return LocksEndpoint.start(
                WebApplicationType.SERVLET,
                cluster,
                "locks_page",
                "--spring.application.name=" + name,
                "--cassandra-lock.force-release.enabled=true",
                "--cassandra-lock.lease=6s");
    }

    @BeforeAll
    void fiftyLocksAreWaitedFor() {
        for (int number = 1; number <= FIFTY; number++) {
            String lockId = "order:" + (1000 + number);
            held.add(other.locker().getLock(lockId));
            waiting.add(shown.locker().getLockAsync(lockId));
        }
        held.add(shown.locker().getLock(SCRIPT));
        held.add(shown.locker().getLock("report:daily"));
        held.add(shown.locker().getLock(CROWDED));
        for (int number = 0; number < 4; number++) {
            waiting.add(shown.locker().getLockAsync(CROWDED));
        }
        waiting.add(other.locker().getLockAsync(CROWDED));
        waiting.add(third.locker().getLockAsync(CROWDED));
    }

    @AfterAll
    void stop() {
        waiting.forEach(call -> call.cancel(false));
        held.forEach(RemoteLock::closeAsync);
        shown.close();
        other.close();
        third.close();
    }

    @BeforeEach
    void openBrowser() {
        browser = Browser.open();
    }

    @AfterEach
    void closeBrowser() {
        if (browser != null) { // null without Chromium, which skips the test
            browser.close();
        }
    }

    private void openPage(String query) {
        browser.driver().get(shown.address(LocksEndpoint.PATH + query).toString());
        eventually(() -> assertThat(browser.text("live-text")).isEqualTo("Live"));
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(BOUND).ignoreExceptions().untilAsserted(assertion);
    }

    private List<String> lockIds() {
        return browser.texts("#lock-rows .lock-button");
    }

    /** Locks are handed over while the page is looked at. */
    private void takeShortLocks() {
        for (int round = 0; round < 40; round++) {
            shown.locker().getLock("short:" + round % 4).close();
        }
    }

    @Test
    void showsFiftyWaitingLocksTheirQueueTheFiguresAndTheSessions() {
        browser.size(1280, 900, false).colours("light");
        openPage("");
        eventually(() -> assertThat(browser.text("waiting")).isEqualTo(Integer.toString(FIFTY + 4)));
        assertThat(browser.text("held")).isEqualTo("3");
        assertThat(lockIds()).hasSize(FIFTY + 3).contains("order:1001", "order:1050", CROWDED, SCRIPT);
        assertThat(browser.all("#lock-rows .badge[data-kind=waiting]")).hasSize(FIFTY);
        assertThat(browser.all("#lock-rows .badge[data-kind=contended]")).hasSize(1);
        assertThat(browser.text("held-note")).isEqualTo("1 contended");
        eventually(() -> assertThat(browser.all("#session-rows tr")).hasSizeGreaterThanOrEqualTo(3));

        browser.all("#lock-rows .lock-button").get(0).click();
        eventually(() -> assertThat(browser.all("#queue > li")).hasSize(3));
        List<WebElement> queue = browser.all("#queue > li");
        assertThat(queue.get(0).getText())
                .contains("shop", "Holder", "This process", "4 threads of this process in line");
        assertThat(queue.get(1).getText()).contains("behind");
        assertThat(queue.get(1).getText() + queue.get(2).getText()).contains("billing", "warehouse");

        long handOvers = shown("since the start");
        takeShortLocks();
        eventually(() -> assertThat(shown("since the start")).isGreaterThanOrEqualTo(handOvers + 40));
        eventually(() -> assertThat(browser.all("#rate-chart polyline")).hasSize(1));
        int points = points();
        takeShortLocks();
        eventually(() -> assertThat(points()).isGreaterThan(points));
    }

    private long shown(String suffix) {
        return Long.parseLong(browser.text("rate-note").replace(suffix, "").trim());
    }

    private int points() {
        return String.valueOf(
                        browser.script("return document.querySelector('#rate-chart polyline').getAttribute('points')"))
                .split(" ")
                .length;
    }

    @Test
    void lockIdWithAScriptIsTextAndNothingElse() {
        openPage(LocksEndpoint.query(SCRIPT));
        eventually(() -> assertThat(browser.text("detail-title")).isEqualTo(SCRIPT));
        eventually(() -> assertThat(browser.all("#queue > li")).hasSize(1));
        assertThat(lockIds()).contains(SCRIPT);
        browser.id("force-release").click();
        assertThat(browser.text("confirm-lock")).isEqualTo(SCRIPT);
        assertThat(browser.driver().getTitle()).isEqualTo("Locks – shop");
        assertThat(browser.all("img, body script")).isEmpty();
    }

    @Test
    void locksOfAllProcessesAreListedOnDemandAndOddIdsAreText() {
        openPage("");
        assertThat(browser.all("#list-rows tr")).isEmpty();
        browser.id("id-prefix").sendKeys(SCRIPT.substring(0, 3), Keys.ENTER);
        eventually(() -> assertThat(browser.texts("#list-rows .lock-button")).containsExactly(SCRIPT));
        assertThat(browser.all("img, body script")).isEmpty();

        browser.id("id-prefix").clear();
        browser.id("id-prefix").sendKeys("order:", Keys.ENTER);
        eventually(() -> assertThat(browser.all("#list-rows tr")).hasSize(FIFTY));
        assertThat(browser.texts("#list-rows tr").get(0)).contains("Contended");
        assertThat(browser.text("list-note")).contains(FIFTY + " locks on this page", "There are no more.");

        String first = browser.texts("#list-rows .lock-button").get(0);
        browser.all("#list-rows .lock-button").get(0).click();
        eventually(() -> assertThat(browser.text("detail-title")).isEqualTo(first));
    }

    /** Counts requests for further pages, delays them, and fails them while it is cut off. */
    private static final String WATCHED_PAGES = """
            const original = window.fetch;
            window.pages = [];
            window.fetch = async (address, options) => {
              const page = new URL(address, location.href).searchParams.get("page");
              if (page === null) return original(address, options);
              window.pages.push(page);
              if (window.cutOff) throw new TypeError("cut off");
              await new Promise(resolve => setTimeout(resolve, 300));
              return original(address, options);
            };
            """;

    private String requestedPages() {
        return String.valueOf(browser.script("return window.pages.join(' ')"));
    }

    @Test
    void nextPageIsRequestedOnceAndAgainAfterAFailure() {
        List<RemoteLock> many =
                IntStream.range(0, 230)
                        .mapToObj(number -> other.locker().getLockAsync("paged:" + number))
                        .toList()
                        .stream()
                        .map(CompletableFuture::join)
                        .toList();
        openPage("");
        browser.script(WATCHED_PAGES);
        browser.id("id-prefix").sendKeys("paged:", Keys.ENTER);
        eventually(() -> assertThat(browser.id("list-next").isDisplayed()).isTrue());
        List<String> seen = new ArrayList<>(browser.texts("#list-rows .lock-button"));

        browser.script("window.cutOff = true");
        browser.id("list-next").click();
        eventually(() -> assertThat(browser.text("list-problem")).contains("does not answer"));
        browser.script("window.cutOff = false");
        String failed = requestedPages();
        browser.script("const next = document.getElementById('list-next'); next.click(); next.click()");
        assertThat(requestedPages()).as("pages requested until now").isEqualTo(failed + " " + failed);

        while (true) {
            eventually(() -> assertThat(browser.text("list-note")).contains("on this page"));
            seen.addAll(browser.texts("#list-rows .lock-button"));
            if (!browser.id("list-next").isDisplayed()) {
                break;
            }
            browser.id("list-next").click();
        }
        assertThat(seen)
                .containsExactlyInAnyOrderElementsOf(
                        many.stream().map(RemoteLock::getLockId).toList());
        many.forEach(RemoteLock::closeAsync);
    }

    @Test
    void everythingWorksFromTheKeyboard() {
        openPage("");
        eventually(() -> assertThat(lockIds()).hasSizeGreaterThan(FIFTY));
        press(Keys.TAB);
        assertThat(focused()).isEqualTo("skip");
        press(Keys.TAB);
        assertThat(focused()).isEqualTo("pause");
        press(Keys.ENTER);
        assertThat(browser.text("live-text")).isEqualTo("Paused");
        press(Keys.ENTER);
        press(Keys.TAB);
        assertThat(focused()).isEqualTo("lock-id");
        eventually(() -> assertThat(browser.text("live-text")).isEqualTo("Live"));
        browser.driver().switchTo().activeElement().sendKeys("order:10");
        eventually(() -> assertThat(lockIds()).hasSize(FIFTY));
        press(Keys.TAB);
        press(Keys.TAB);
        press(Keys.ARROW_DOWN);
        press(Keys.ENTER);
        eventually(() -> assertThat(browser.text("detail-title")).isEqualTo("order:1002"));
        eventually(() -> assertThat(browser.id("force-release").isDisplayed()).isTrue());
        assertThat(browser.driver().switchTo().activeElement().getText())
                .as("the focus, which stays while rows are updated")
                .isEqualTo("order:1002");
        assertThat((String) browser.script("return getComputedStyle(document.activeElement).outlineStyle"))
                .isEqualTo("solid");
    }

    /** Its row moves when more threads wait for it, and goes when it is released. */
    @Test
    void focusStaysOnALockThatMovesAndGoesToAnotherWhenItIsReleased() {
        String lockId = "moving:" + System.nanoTime();
        RemoteLock lock = shown.locker().getLock(lockId);
        browser.size(1280, 900, false);
        openPage("");
        eventually(() -> assertThat(lockIds()).contains(lockId));
        browser.script("Array.from(document.querySelectorAll('.lock-button')).find(b => b.textContent === '" + lockId
                + "').focus()");
        press(Keys.ENTER);
        eventually(() -> assertThat(browser.text("detail-title")).isEqualTo(lockId));
        List<CompletableFuture<RemoteLock>> calls = new ArrayList<>();
        for (int number = 0; number < 10; number++) {
            calls.add(shown.locker().getLockAsync(lockId));
        }
        eventually(() -> assertThat(lockIds().get(0)).isEqualTo(lockId));
        WebElement focus = browser.driver().switchTo().activeElement();
        assertThat(focus.getDomProperty("className")).as("the focus").isEqualTo("lock-button");
        assertThat(focus.getText()).as("after its row has moved to the top").isEqualTo(lockId);
        eventually(
                () -> assertThat(browser.text("facts").split("\\R")).contains("Waiting elsewhere", "0", "10 threads"));
        calls.forEach(call -> call.cancel(false));
        lock.close();
        eventually(() -> assertThat(lockIds()).doesNotContain(lockId));
        assertThat(browser.driver().switchTo().activeElement().getDomProperty("className"))
                .as("the focus, after the row has gone")
                .isEqualTo("lock-button");
    }

    /** The page lists the oldest thousand calls of the process. */
    @Test
    void waitersAreCountedAlthoughAThousandCallsAreOlder() {
        String crowded = "older:" + System.nanoTime();
        String lockId = "younger:" + System.nanoTime();
        List<RemoteLock> locks =
                List.of(shown.locker().getLock(crowded), shown.locker().getLock(lockId));
        List<CompletableFuture<RemoteLock>> calls = new ArrayList<>();
        for (int number = 0; number < 1_000; number++) {
            calls.add(shown.locker().getLockAsync(crowded));
        }
        for (int number = 0; number < 20; number++) {
            calls.add(shown.locker().getLockAsync(lockId));
        }
        openPage(LocksEndpoint.query(lockId));
        eventually(() -> assertThat(browser.text("facts").split("\\R")).contains("20 threads"));
        assertThat(browser.script("return Array.from(document.querySelectorAll('#lock-rows tr'))"
                        + ".find(row => row.querySelector('button').textContent === '" + lockId
                        + "').lastElementChild.textContent"))
                .as("the number of calls that wait, in the list; calls of nearly the same age may change places")
                .asString()
                .matches("[0-9]+\\+");
        calls.forEach(call -> call.cancel(false));
        locks.forEach(RemoteLock::close);
    }

    @Test
    void focusOfTheReleaseButtonGoesToTheLockWhenNobodyHoldsIt() {
        String lockId = "released:" + System.nanoTime();
        RemoteLock lock = shown.locker().getLock(lockId);
        openPage(LocksEndpoint.query(lockId));
        eventually(() -> assertThat(browser.id("force-release").isDisplayed()).isTrue());
        browser.script("document.getElementById('force-release').focus()");
        lock.close();
        eventually(() -> assertThat(browser.id("force-release").isDisplayed()).isFalse());
        assertThat(focused()).isEqualTo("detail-title");
    }

    @Test
    void overdueSessionDoesNotCountAsAlive() {
        shown.session()
                .execute(
                        "INSERT INTO locks_page.lock_sessions (session, beat, nonce, state, lease_ms, clock_drift, owner)"
                                + " VALUES (uuid(), 0, uuid(), 'ALIVE', 6000, 0.05, 'lost 7 overdue') USING TTL 1000");
        openPage("");
        eventually(() -> assertThat(browser.text("alive-note")).contains("1 overdue"));
        assertThat(browser.all("#session-rows .badge[data-kind=overdue]")).hasSize(1);
        int alive = browser.all("#session-rows .badge[data-kind=alive]").size();
        assertThat(browser.text("alive")).isEqualTo(Integer.toString(alive));
    }

    private void press(CharSequence key) {
        browser.driver().switchTo().activeElement().sendKeys(key);
    }

    private String focused() {
        WebElement focused = browser.driver().switchTo().activeElement();
        String id = String.valueOf(focused.getDomProperty("id"));
        return id.isEmpty() ? String.valueOf(focused.getDomProperty("className")) : id;
    }

    @Test
    void phoneShowsEverythingWithoutScrollingSideways() {
        browser.size(390, 844, true).colours("light");
        openPage(LocksEndpoint.query(CROWDED));
        eventually(() -> assertThat(browser.all("#queue > li")).hasSize(3));
        eventually(() -> assertThat(lockIds()).hasSizeGreaterThan(FIFTY));
        assertNotWiderThan(390);
        browser.size(320, 640, true);
        assertNotWiderThan(320);
        browser.script("document.getElementById('confirm').showModal()");
        assertNotWiderThan(320);
    }

    private void assertNotWiderThan(int pixels) {
        Browser.Extent extent = browser.extent(".hidden-label, thead");
        assertThat(extent.width()).isLessThanOrEqualTo(pixels);
        assertThat(extent.beyond()).as("what reaches beyond the right edge").isEmpty();
    }

    @Test
    void textCanBeReadInLightAndDark() {
        openPage(LocksEndpoint.query(CROWDED));
        eventually(() -> assertThat(browser.all("#queue > li")).hasSize(3));
        for (String scheme : List.of("light", "dark")) {
            browser.colours(scheme);
            assertThat(browser.lowestContrast())
                    .as("the lowest contrast of a text and its ground, %s", scheme)
                    .isGreaterThanOrEqualTo(4.5);
        }
    }

    @Test
    void lockIsForceReleasedOnlyAfterAQuestion() {
        String lockId = "broken:" + System.nanoTime();
        RemoteLock lock = other.locker().getLock(lockId);
        openPage(LocksEndpoint.query(lockId));
        eventually(() -> assertThat(browser.id("force-release").isDisplayed()).isTrue());
        browser.id("force-release").click();
        assertThat(browser.driver().switchTo().activeElement().getText()).isEqualTo("Keep it");
        press(Keys.ENTER);
        assertThat(browser.id("confirm").isDisplayed()).isFalse();
        assertThat(browser.id("force-release-answer").isDisplayed()).isFalse();
        assertThat(lock.isHeld()).isTrue();

        browser.id("force-release").click();
        browser.driver()
                .findElement(org.openqa.selenium.By.cssSelector("#confirm button[value=force-release]"))
                .click();
        eventually(() -> assertThat(browser.text("force-release-answer")).contains("was sent a request to give it up"));
        await().atMost(BOUND).until(() -> !lock.isHeld());
        eventually(() -> assertThat(browser.text("facts")).contains("nobody"));
        lock.close();
    }

    @Test
    void pageSaysThatTheApplicationDoesNotAnswer() {
        openPage("");
        browser.script("window.fetch = () => Promise.reject(new TypeError('cut off'))");
        eventually(() -> assertThat(browser.text("problem")).contains("does not answer"));
        assertThat(browser.text("live-text")).isEqualTo("Not answering");
    }
}
