package io.github.cassandralock.it;

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

/** A headless Chromium, or Chrome, of the operating system. Nothing is downloaded for it. */
record Browser(ChromeDriver driver) implements AutoCloseable {

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
    static Browser open() {
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
    Browser size(int width, int height, boolean phone) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", phone));
        return this;
    }

    /** What the operating system prefers: {@code light} or {@code dark}. */
    Browser colours(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        return this;
    }

    WebElement id(String id) {
        return driver.findElement(By.id(id));
    }

    String text(String id) {
        return id(id).getText();
    }

    List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /** In one step of the page, which may replace elements at any time. */
    @SuppressWarnings("unchecked")
    List<String> texts(String selector) {
        return (List<String>) driver.executeScript(
                "return [...document.querySelectorAll(arguments[0])].map(element => element.innerText)", selector);
    }

    /** In one step of the page, which may replace elements at any time. */
    Object script(String script) {
        return driver.executeScript(script);
    }

    /** For people who look at the page; nothing compares it. */
    void screenshot(String name) throws IOException {
        Files.createDirectories(SCREENSHOTS);
        Files.write(SCREENSHOTS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    }

    @Override
    public void close() {
        driver.quit();
    }
}
