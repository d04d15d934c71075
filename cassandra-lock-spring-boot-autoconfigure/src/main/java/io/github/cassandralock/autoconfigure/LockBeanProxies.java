package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.proxies.OwnBeanProxies;

/** Decides which proxies Spring makes of the beans of the locks. */
final class LockBeanProxies extends OwnBeanProxies {

    LockBeanProxies() {
        super(LockBeanProxies.class.getPackageName(), "remoteLocker", "cassandraLock");
    }
}
