package io.github.cassandralock.it;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.testing.applications.Application;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * A process of its own with a job that runs once for each period, by a clock that is ahead. It writes what it does into a file that all
 * instances share, and ends with its standard input.
 */
final class PeriodWorker {

    static final int PERIOD_SECONDS = 4;

    /** Begins the line of an instance that waits for its death; its process id follows. */
    static final String FATAL = "in the middle: ";

    static final String COMPLETED = "completed ";

    /** The first instance that begins such a period never completes it. */
    static boolean isFatal(long period) {
        return period % 10 == 5;
    }

    private PeriodWorker() {}

    /** @param arguments of the application */
    public static void main(String[] arguments) throws IOException {
        List<Class<?>> configurations = List.of(Jobs.class, Application.Configuration.class);
        try (Application application = Application.run(configurations, new ArrayList<>(Arrays.asList(arguments)))) {
            while (System.in.read() >= 0) {
                // until the parent closes the pipe or dies
            }
        }
    }

    /** The lines of all instances. */
    record Book(Path file) {

        void add(String line) {
            try {
                Files.writeString(file, line + "\n", StandardOpenOption.APPEND, StandardOpenOption.CREATE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        List<String> lines() {
            try {
                return Files.exists(file) ? Files.readAllLines(file) : List.of();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static class Billing {

        private final Book book;

        Billing(Book book) {
            this.book = book;
        }

        @DistributedLock(key = "'periods:' + #run", onceFor = "#period")
        public Long bill(String run, long period) throws InterruptedException {
            boolean first = !book.lines().contains("begin " + period);
            book.add("begin " + period);
            if (first && isFatal(period)) {
                book.add(FATAL + ProcessHandle.current().pid());
                new CountDownLatch(1).await(); // until the process is killed
            }
            return period;
        }
    }

    static class Cron {

        private final Billing billing;
        private final Book book;
        private final Clock clock;
        private final String run;

        Cron(Billing billing, Book book, Clock clock, String run) {
            this.billing = billing;
            this.book = book;
            this.clock = clock;
            this.run = run;
        }

        @Scheduled(cron = "*/" + PERIOD_SECONDS + " * * * * *")
        void tick() throws InterruptedException {
            Long completed = billing.bill(run, clock.instant().getEpochSecond() / PERIOD_SECONDS);
            if (completed != null) {
                book.add(COMPLETED + completed);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Jobs {

        @Bean
        Clock clock(Environment environment) {
            return Clock.offset(
                    Clock.systemUTC(), Duration.parse(environment.getRequiredProperty("period-worker.ahead")));
        }

        @Bean
        ThreadPoolTaskScheduler taskScheduler(Clock clock) {
            ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
            scheduler.setClock(clock);
            return scheduler;
        }

        @Bean
        Book book(Environment environment) {
            return new Book(Path.of(environment.getRequiredProperty("period-worker.book")));
        }

        @Bean
        Billing billing(Book book) {
            return new Billing(book);
        }

        @Bean
        Cron cron(Billing billing, Book book, Clock clock, Environment environment) {
            return new Cron(billing, book, clock, environment.getRequiredProperty("period-worker.run"));
        }
    }
}
