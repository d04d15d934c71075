package io.github.cassandralock.internal.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of contact points that cannot be used: what is configured, and what the operating system says. */
@Timeout(20)
class ContactPointTest {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static ContactPoint at(int port) {
        return ContactPoint.of("127.0.0.1:" + port).orElseThrow();
    }

    private static Optional<String> problem(Listener.Answer answer, boolean speaksCql, Duration patience) {
        try (Listener listener = new Listener(answer)) {
            return at(listener.port()).problem(speaksCql, patience);
        }
    }

    @Test
    void nodeThatAnswersIsNoProblem() {
        assertThat(problem(Listener.Answer.OF_NODE, true, PATIENCE)).isEmpty();
    }

    @Test
    void refusedConnectionIsNamed() {
        assertThat(at(Listener.freePort()).problem(true, PATIENCE)).contains("Connection refused");
    }

    @Test
    void unknownHostIsNamed() {
        assertThat(ContactPoint.of("nowhere.invalid:9042").orElseThrow().problem(true, PATIENCE))
                .contains("unknown host");
    }

    @Test
    void somethingElseThanANodeIsNoAnswer() {
        assertThat(problem(Listener.Answer.CLOSING, true, PATIENCE))
                .hasValueSatisfying(text -> assertThat(text).contains("closed without an answer"));
        assertThat(problem(
                        client -> client.getOutputStream().write("HTTP/1.1 400".getBytes(StandardCharsets.US_ASCII)),
                        true,
                        PATIENCE))
                .isPresent();
    }

    @Test
    void silenceEndsWithThePatience() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Listener.Answer silence = client -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        assertThat(problem(silence, true, Duration.ofMillis(100))).contains("timed out after 100 ms");
        end.countDown();
    }

    @Test
    void connectionIsEnoughWhereTheNodeIsEncrypted() {
        assertThat(problem(Listener.Answer.CLOSING, false, PATIENCE)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"node", "node:", "node:port", ":9042", "node:65536"})
    void textThatTheDriverIgnoresIsNoContactPoint(String text) {
        assertThat(ContactPoint.of(text)).isEmpty();
    }

    @Test
    void allAreNamedIfNoneAnswers() {
        int free = Listener.freePort();
        ContactPoints points = new ContactPoints(
                List.of(at(free), ContactPoint.of("nowhere.invalid:9042").orElseThrow()), false, PATIENCE);
        assertThatThrownBy(points::requireAnswer)
                .isInstanceOf(AllNodesFailedException.class)
                .hasMessage("Cassandra cannot be reached: 127.0.0.1:" + free
                        + " (Connection refused); nowhere.invalid:9042 (unknown host)");
    }

    @Test
    void oneThatAnswersIsEnough() throws InterruptedException {
        try (Listener node = new Listener(Listener.Answer.OF_NODE)) {
            new ContactPoints(List.of(at(Listener.freePort()), at(node.port())), false, PATIENCE).requireAnswer();
            assertThat(node.connections()).isEqualTo(1);
        }
    }
}
