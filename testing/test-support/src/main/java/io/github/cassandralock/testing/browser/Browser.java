package io.github.cassandralock.testing.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/**
 * A headless Chromium, or Chrome, of the operating system. Nothing is downloaded for it. The modules whose tests use it need
 * {@code selenium-chrome-driver}.
 */
public record Browser(ChromeDriver driver) implements AutoCloseable {

    /** A browser and the driver of its version. */
    private record Program(Path browser, Path driver) {

        boolean isInstalled() {
            return Files.isExecutable(browser) && Files.isExecutable(driver);
        }
    }

    /** Debian's packages; then what the machines of GitHub have, which name the driver's folder. */
    private static final List<Program> PROGRAMS = List.of(
            new Program(Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromedriver")),
            new Program(
                    Path.of("/usr/bin/google-chrome"),
                    Path.of(System.getenv().getOrDefault("CHROMEWEBDRIVER", "/usr/bin"), "chromedriver")));

    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    /** Skips the test if there is no Chromium. */
    public static Browser open() {
        Optional<Program> program =
                PROGRAMS.stream().filter(Program::isInstalled).findFirst();
        assumeTrue(
                program.isPresent(),
                "There is no Chromium here: install Debian's packages 'chromium' and 'chromium-driver'");
        return open(program.orElseThrow());
    }

    private static Browser open(Program program) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program.browser().toFile());
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars");
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(program.driver().toFile())
                .usingAnyFreePort()
                .build();
        return new Browser(new ChromeDriver(service, options));
    }

    /** The size of the window's content, in CSS pixels. */
    public Browser size(int width, int height, boolean phone) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", phone));
        return this;
    }

    /** What the operating system prefers: {@code light} or {@code dark}. */
    public Browser colours(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        return this;
    }

    public WebElement id(String id) {
        return driver.findElement(By.id(id));
    }

    public String text(String id) {
        return id(id).getText();
    }

    public List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /** In one step of the page, which may replace elements at any time. */
    @SuppressWarnings("unchecked")
    public List<String> texts(String selector) {
        return (List<String>) driver.executeScript(
                "return [...document.querySelectorAll(arguments[0])].map(element => element.innerText)", selector);
    }

    /** In one step of the page, which may replace elements at any time. */
    public Object script(String script) {
        return driver.executeScript(script);
    }

    /** The lowest contrast, as WCAG computes it, of all visible elements that have text of their own and its ground. */
    public double lowestContrast() {
        return ((Number) script(CONTRAST)).doubleValue();
    }

    private static final String CONTRAST = """
            const part = v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
            const light = c => .2126 * part(c[0]) + .7152 * part(c[1]) + .0722 * part(c[2]);
            const rgb = text => (text.match(/[\\d.]+/g) || []).map(Number);
            const ground = node => {
              for (; node; node = node.parentElement) {
                const colour = rgb(getComputedStyle(node).backgroundColor);
                if (colour.length === 3 || colour[3] === 1) return colour;
              }
              return [255, 255, 255];
            };
            return Math.min(...Array.from(document.querySelectorAll('body *')).filter(node =>
                node.checkVisibility() && !node.closest('noscript') && !node.closest('svg')
                && Array.from(node.childNodes).some(child => child.nodeType === 3 && child.data.trim()))
              .map(node => {
                const a = light(rgb(getComputedStyle(node).color)) + .05, b = light(ground(node)) + .05;
                return Math.max(a, b) / Math.min(a, b);
              }));
            """;

    /** The width of the document in CSS pixels, and what of its main part reaches beyond the right edge of the window. */
    public record Extent(int width, String beyond) {}

    /**
     * How wide the page is.
     *
     * @param hidden a selector of elements that nobody sees, so that they do not count
     */
    public Extent extent(String hidden) {
        int width = ((Number) script("return document.documentElement.scrollWidth")).intValue();
        String beyond = (String) driver.executeScript(
                "return Array.from(document.querySelectorAll('main *')).filter(node =>"
                        + " node.getBoundingClientRect().right > innerWidth + 1 && !node.closest(arguments[0])"
                        + " && !node.parentElement.closest('svg')).map(node => node.tagName + '#' + node.id).join()",
                hidden);
        return new Extent(width, beyond);
    }

    /** For people who look at the page; nothing compares it. */
    public void screenshot(String name) throws IOException {
        Files.createDirectories(SCREENSHOTS);
        Files.write(SCREENSHOTS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    }

    @Override
    public void close() {
        driver.quit();
    }
}
