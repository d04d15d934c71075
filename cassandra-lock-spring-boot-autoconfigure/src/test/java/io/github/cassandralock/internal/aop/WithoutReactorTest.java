package io.github.cassandralock.internal.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.DistributedLock;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Reactor is optional. Catches a class that every application loads, and that needs Reactor. */
class WithoutReactorTest {

    public static class Service {

        @DistributedLock(key = "'k'")
        public String call() {
            return "ran";
        }
    }

    /** Runs in a class loader without Reactor. */
    public static final class Application implements Callable<String> {

        @Override
        public String call() {
            try (AspectContext spring = AspectContext.of(Service.class)) {
                return spring.bean(Service.class).call() + spring.locker().events;
            }
        }
    }

    @Test
    void annotatedMethodRunsUnderItsLock() throws Exception {
        URL[] classes = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> !path.contains("reactor-core"))
                .map(WithoutReactorTest::url)
                .toArray(URL[]::new);
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(classes, ClassLoader.getPlatformClassLoader())) {
            Thread.currentThread().setContextClassLoader(loader);
            Object application = loader.loadClass(Application.class.getName())
                    .getDeclaredConstructor()
                    .newInstance();
            assertThat(((Callable<?>) application).call()).isEqualTo("ran[lock k, unlock k]");
        } finally {
            Thread.currentThread().setContextClassLoader(context);
        }
    }

    private static URL url(String path) {
        try {
            return Path.of(path).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(path, e);
        }
    }
}
