package io.github.cassandralock.sample;

import org.aspectj.lang.annotation.AfterReturning;
import org.aspectj.lang.annotation.Aspect;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Logs every deposit and withdrawal. An aspect of the bank's own beside the locks': it has no order, so it runs under the lock, and the lines
 * of one account come in the order of its bookings.
 */
@Aspect
@Component
final class BookingLog {

    private static final Logger log = LoggerFactory.getLogger(BookingLog.class);

    @AfterReturning(
            pointcut = "execution(io.github.cassandralock.sample.Account io.github.cassandralock.sample.Bank.*(..))"
                    + " && @annotation(io.github.cassandralock.DistributedLock)",
            returning = "account")
    void booked(Account account) {
        log.info("Account '{}' now holds {}", account.id(), account.balance());
    }
}
