package io.github.cassandralock.it;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.RemoteLocker;
import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Says under which lock its bean has run, whether the processed application did, and which named lockers take a lock. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class AotApplication {

    static final String RAN = "RAN UNDER ";

    static class Job {

        private final RemoteLocker locker;

        Job(RemoteLocker locker) {
            this.locker = locker;
        }

        @DistributedLock(key = "#root.methodName + ':' + #name")
        public String run(String name) {
            String id = "run:" + name;
            return id + ", held: " + locker.tryGetLock(id).isEmpty();
        }
    }

    @Bean
    Job job(RemoteLocker locker) {
        return new Job(locker);
    }

    public static void main(String[] arguments) {
        SpringApplication application = new SpringApplication(AotApplication.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = application.run(arguments)) {
            System.out.println(RAN + context.getBean(Job.class).run("nightly") + ", processed: "
                    + AotDetector.useGeneratedArtifacts() + ", lockers: "
                    + BeanFactoryAnnotationUtils.qualifiedBeansOfType(
                                    context.getBeanFactory(), RemoteLocker.class, "billing")
                            .values()
                            .stream()
                            .map(locker -> locker.tryGetLock("run:nightly").isPresent())
                            .toList());
        }
    }
}
