package io.github.cassandralock.benchmarks.contender;

import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.ClassPathResource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.jdbc.lock.LockRepository;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Spring Integration's registry with its defaults. Statements and commits count as requests. */
final class JdbcContender implements Contender {

    private final AtomicLong requests = new AtomicLong();
    private final GenericApplicationContext application = new GenericApplicationContext();
    private final JdbcLockRegistry registry;

    JdbcContender(String url, boolean counted) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(4);
        application.registerBean("pool", HikariDataSource.class, () -> pool);
        application.registerBean(
                "used", DataSource.class, () -> counted ? counted(pool) : pool, bean -> bean.setPrimary(true));
        application.registerBean(
                PlatformTransactionManager.class,
                () -> new JdbcTransactionManager(application.getBean("used", DataSource.class)));
        application.registerBean(
                LockRepository.class, () -> new DefaultLockRepository(application.getBean("used", DataSource.class)));
        application.registerBean(
                JdbcLockRegistry.class, () -> new JdbcLockRegistry(application.getBean(LockRepository.class)));
        application.refresh();
        registry = application.getBean(JdbcLockRegistry.class);
    }

    /** Creates the registry's table, which is one of many in the script that comes with it. */
    static void createTables(String url) {
        ResourceDatabasePopulator script = new ResourceDatabasePopulator(
                new ClassPathResource("org/springframework/integration/jdbc/schema-postgresql.sql"));
        script.execute(new DriverManagerDataSource(url));
    }

    private DataSource counted(DataSource pool) {
        return ProxyDataSourceBuilder.create(pool)
                .afterQuery((execution, queries) -> requests.addAndGet(queries.size()))
                .afterMethod(call -> {
                    if (call.getMethod().getName().equals("commit")) {
                        requests.incrementAndGet();
                    }
                })
                .build();
    }

    @Override
    public Hold acquire(String lockId) throws InterruptedException {
        Lock lock = registry.obtain(lockId);
        lock.lockInterruptibly();
        return lock::unlock;
    }

    @Override
    public long requests() {
        return requests.get();
    }

    @Override
    public void close() {
        application.close();
    }
}
