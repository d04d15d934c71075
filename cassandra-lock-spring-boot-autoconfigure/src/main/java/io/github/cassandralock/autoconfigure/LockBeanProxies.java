package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.aop.AnnotatedTypes;
import io.github.cassandralock.internal.proxies.OwnBeanProxies;
import java.util.List;
import java.util.stream.Stream;

/** Decides which proxies Spring makes of the beans of the locks. */
final class LockBeanProxies extends OwnBeanProxies {

    /** An application may use other packages below the root. */
    private static final List<String> OWN = Stream.of(
                    "autoconfigure", "builder", "cassandra", "internal", "observation", "shedlock", "spi")
            .map(name -> "io.github.cassandralock." + name + ".")
            .toList();

    LockBeanProxies() {
        super("remoteLocker", "cassandraLock");
    }

    /** A class with {@code @DistributedLock} is left to the check that refuses it. */
    @Override
    protected boolean isOwn(Class<?> type) {
        return OWN.stream().anyMatch((type.getPackageName() + ".")::startsWith) && !AnnotatedTypes.contain(type);
    }
}
