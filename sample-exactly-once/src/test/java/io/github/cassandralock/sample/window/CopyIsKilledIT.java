package io.github.cassandralock.sample.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.cassandralock.testing.browser.Browser;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/**
 * Copies in processes of their own, on the Cassandra node and the database that they start, and their page in a real
 * browser. It costs one to two minutes; it would catch a copy whose death stops, loses or doubles outputs, a page that
 * does not see that, and one that cannot be read.
 */
@Tag("slow")
@Tag("once")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class CopyIsKilledIT {

    private static final Duration BOUND = Duration.ofSeconds(40);
    private static final int MANY = 40;

    /** A gap that the death of a copy made would be as long as some time-out. */
    private static final int GENEROUS = 10;

    private final List<RunningCopy> copies = new ArrayList<>();
    private Browser browser;
    private int port;

    /** Two copies that start at the same time: one of them starts the surroundings. */
    @BeforeAll
    void start() throws IOException {
        browser = Browser.open();
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        copies.add(RunningCopy.start(port));
        copies.add(RunningCopy.start(port));
    }

    @AfterAll
    void end() throws InterruptedException {
        if (browser != null) { // null without Chromium, which skips the tests
            browser.close();
        }
        for (RunningCopy copy : copies) {
            copy.close();
        }
        if (port != 0) {
            await("the end of the surroundings, which no copy needs any more")
                    .atMost(BOUND)
                    .untilAsserted(() -> assertThatThrownBy(
                                    () -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                            .isInstanceOf(ConnectException.class));
        }
    }

    private void open(RunningCopy copy) {
        browser.driver().get(copy.url());
        eventually(() -> assertThat(browser.text("live-text")).isEqualTo("Live"));
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(BOUND).ignoreExceptions().untilAsserted(assertion);
    }

    private String stateOf(RunningCopy copy) {
        return String.valueOf(browser.script(
                "return document.querySelector('#copies > li[data-pid=\"" + copy.pid() + "\"]')?.dataset.state"));
    }

    private long stepsOf(RunningCopy copy) {
        return number("return document.querySelector('#copies > li[data-pid=\"" + copy.pid()
                + "\"] .note').textContent.split(' ')[0].replaceAll(',', '')");
    }

    private long deathOf(RunningCopy copy, String what) {
        return number("return document.querySelector('#events [data-pid=\"" + copy.pid() + "\"]').dataset." + what);
    }

    private long number(String script) {
        return Long.parseLong(String.valueOf(browser.script(script)));
    }

    private void assertAllIsRight() {
        assertThat(browser.text("sequence")).isEqualTo("Complete");
        assertThat(browser.text("sequence-note")).contains(": 0 missing, 0 twice");
        assertThat(browser.text("counter-note")).startsWith("right");
    }

    @Tag("nightly")
    @Test
    void outputsGoOnWhenACopyIsKilledAndNothingIsMissingOrTwice() throws Exception {
        RunningCopy first = copies.get(0);
        RunningCopy second = copies.get(1);
        browser.size(1160, 1000, false).colours("light");
        open(first);
        eventually(() -> {
            assertThat(stepsOf(first)).isGreaterThan(MANY);
            assertThat(stepsOf(second)).isGreaterThan(MANY);
            assertThat(browser.texts("#lags td:first-child"))
                    .containsExactlyInAnyOrder("stream-1", "stream-2", "averages", "increments");
            assertAllIsRight();
        });

        kill(second);
        browser.screenshot("exactly-once-light");
        browser.colours("dark");
        browser.screenshot("exactly-once-dark");

        RunningCopy third = RunningCopy.start(port);
        copies.add(third);
        eventually(() -> assertThat(stepsOf(third)).isPositive());

        kill(first);
        assertThat(browser.text("problem")).contains("This page came from copy " + first.pid());
        assertNothingIsMissingOrTwice(third);
    }

    /** While the copy is dead, outputs come, and the gap around its end is of the kind of those before it. */
    private void kill(RunningCopy copy) throws InterruptedException {
        copy.process().kill();
        eventually(() -> assertThat(stateOf(copy)).isEqualTo("dead"));
        eventually(() -> assertThat(deathOf(copy, "since")).isGreaterThan(MANY));
        assertThat(stateOf(copy)).isEqualTo("dead");
        assertThat(deathOf(copy, "around")).isLessThanOrEqualTo(GENEROUS * deathOf(copy, "before"));
        assertAllIsRight();
    }

    /** In the database itself, from the first step on. */
    private static void assertNothingIsMissingOrTwice(RunningCopy copy) throws IOException {
        List<Long> steps = new ArrayList<>();
        Map<Long, Long> increments = new HashMap<>(Map.of(0L, 0L));
        JsonNode answer = copy.get("task?after=-1");
        JsonNode counter = answer.path("counter");
        while (!answer.path("outputs").isEmpty()) {
            for (JsonNode output : answer.path("outputs")) {
                steps.add(output.path("step").asLong());
                increments.put(
                        output.path("step").asLong(), output.path("increments").asLong());
            }
            JsonNode last = answer.path("outputs").path(answer.path("outputs").size() - 1);
            answer = copy.get("task?after=" + last.path("place").asLong());
        }
        assertThat(steps)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, steps.size()).boxed().toList());
        assertThat(counter.path("value").asLong())
                .isPositive()
                .isEqualTo(increments.get(counter.path("lastStep").asLong()));
    }

    @Test
    void pageSaysWhatIsMissingTwiceOrWrong() {
        open(living());
        eventually(() -> assertThat(browser.text("sequence")).isEqualTo("Complete"));
        falsify("answer.outputs.splice(1, 1)");
        eventually(() -> assertThat(browser.text("sequence-note")).contains(": 1 missing, 0 twice"));
        assertThat(browser.text("sequence")).isEqualTo("Broken");

        open(living());
        eventually(() -> assertThat(browser.text("sequence")).isEqualTo("Complete"));
        falsify("answer.outputs.splice(2, 0, {...answer.outputs[0], place: answer.outputs[1].place + .5})");
        eventually(() -> assertThat(browser.text("sequence-note")).contains(": 0 missing, 1 twice"));

        open(living());
        eventually(() -> assertThat(browser.text("counter-note")).startsWith("right"));
        falsify("answer.counter.value++; done = false");
        eventually(() -> assertThat(browser.text("counter-note")).startsWith("differs"));
    }

    private RunningCopy living() {
        return copies.stream()
                .filter(copy -> copy.process().process().isAlive())
                .findFirst()
                .orElseThrow();
    }

    /** Changes the next answer about the task that has at least three outputs. */
    private void falsify(String change) {
        browser.script("""
                const ask = window.fetch;
                let done = false;
                window.fetch = async (url, options) => {
                  const response = await ask(url, options);
                  if (done || !String(url).includes('/task')) return response;
                  const answer = await response.json();
                  if (answer.outputs.length >= 3) {
                    done = true;
                    %s;
                  }
                  return {ok: true, json: async () => answer};
                };
                """.formatted(change));
    }

    @Test
    void pageCanBeReadOnAPhoneInLightAndDarkAndPausedFromTheKeyboard() throws Exception {
        browser.size(390, 844, true).colours("light");
        open(living());
        eventually(() -> assertThat(browser.all("#lags tr")).hasSize(4));
        for (int width : List.of(390, 320)) {
            browser.size(width, 844, true);
            Browser.Extent extent = browser.extent(".hidden-label");
            assertThat(extent.width()).isLessThanOrEqualTo(width);
            assertThat(extent.beyond()).as("what reaches beyond the right edge").isEmpty();
        }
        for (String scheme : List.of("light", "dark")) {
            browser.colours(scheme);
            assertThat(browser.lowestContrast()).as(scheme).isGreaterThanOrEqualTo(4.5);
        }
        browser.screenshot("exactly-once-phone");
        WebElement focused = browser.driver().switchTo().activeElement();
        focused.sendKeys(Keys.TAB, Keys.TAB);
        browser.driver().switchTo().activeElement().sendKeys(Keys.ENTER);
        eventually(() -> assertThat(browser.text("pause")).isEqualTo("Go on"));
        browser.size(1160, 1000, false);
    }
}
