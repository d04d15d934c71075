package io.github.cassandralock.autoconfigure;

import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class LockAspectConfiguration {}
