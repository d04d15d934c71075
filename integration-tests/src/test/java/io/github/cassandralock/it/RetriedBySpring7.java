package io.github.cassandralock.it;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.LockListener;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.SuperMethodCall;
import net.bytebuddy.matcher.ElementMatchers;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Registers a bean whose method is locked, and retried by Spring Framework 7 itself. Its annotation does not exist in Spring
 * Framework 6, so the class that has it is made at run time.
 */
final class RetriedBySpring7 implements ImportBeanDefinitionRegistrar {

    private static final String PACKAGE = "org.springframework.resilience.annotation.";
    private static final String RETRYABLE = PACKAGE + "Retryable";

    static boolean isPossible() {
        return ClassUtils.isPresent(RETRYABLE, RetriedBySpring7.class.getClassLoader());
    }

    /** Fails at its first call. */
    static class Work {

        private final AtomicInteger tries = new AtomicInteger();

        public void run() {
            if (tries.getAndIncrement() == 0) {
                throw new IllegalStateException("once");
            }
        }
    }

    /** Counts how often the lock was taken. */
    static final class Acquisitions implements LockListener {

        private final AtomicInteger count = new AtomicInteger();

        @Override
        public void onAcquired(String lockId, String threadId, Duration waited) {
            count.incrementAndGet();
        }

        int count() {
            return count.get();
        }
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        RootBeanDefinition retries = new RootBeanDefinition();
        retries.setBeanClassName(PACKAGE + "RetryAnnotationBeanPostProcessor");
        registry.registerBeanDefinition("retries7", retries);
        registry.registerBeanDefinition("retried7", new RootBeanDefinition(annotated()));
        registry.registerBeanDefinition("acquisitions", new RootBeanDefinition(Acquisitions.class));
    }

    @SuppressWarnings("unchecked") // its name is that of an annotation
    private static Class<? extends Work> annotated() {
        Class<? extends Annotation> retryable = (Class<? extends Annotation>)
                ClassUtils.resolveClassName(RETRYABLE, RetriedBySpring7.class.getClassLoader());
        return new ByteBuddy()
                .subclass(Work.class)
                .name(Work.class.getName() + "WithAnnotations")
                .method(ElementMatchers.named("run"))
                .intercept(SuperMethodCall.INSTANCE)
                .annotateMethod(
                        AnnotationDescription.Builder.ofType(DistributedLock.class)
                                .define("key", "'retried'")
                                .build(),
                        AnnotationDescription.Builder.ofType(retryable).build())
                .make()
                .load(
                        RetriedBySpring7.class.getClassLoader(),
                        ClassLoadingStrategy.UsingLookup.of(MethodHandles.lookup()))
                .getLoaded();
    }
}
