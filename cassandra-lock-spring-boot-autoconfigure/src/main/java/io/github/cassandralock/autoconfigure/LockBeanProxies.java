package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.aop.AnnotatedTypes;
import io.github.cassandralock.internal.proxies.OwnBeanProxies;

/** Decides which proxies Spring makes of the beans of the locks. */
final class LockBeanProxies extends OwnBeanProxies {

    LockBeanProxies() {
        super("remoteLocker", "cassandraLock");
    }

    /** A class with {@code @DistributedLock} is left to the check that refuses it. */
    @Override
    protected boolean isOwn(Class<?> type) {
        return type.getName().startsWith("io.github.cassandralock.") && !AnnotatedTypes.contain(type);
    }
}
