package io.github.cassandralock.sample;

import static io.github.cassandralock.DistributedLock.Strategy.TRY_GET_LOCK;
import static io.github.cassandralock.DistributedLock.WhenBusy.SKIP;

import io.github.cassandralock.DistributedLock;
import java.time.Clock;
import java.util.Optional;
import org.springframework.stereotype.Service;

/** Sends each account one message, however often instances ask for it. */
@Service
class Notifications {

    private final WelcomeMessages messages;
    private final SmsGateway gateway;
    private final Instance instance;
    private final Clock clock = Clock.systemUTC();

    Notifications(WelcomeMessages messages, SmsGateway gateway, Instance instance) {
        this.messages = messages;
        this.gateway = gateway;
        this.instance = instance;
    }

    /**
     * Sends the message unless it was sent before. The lock keeps others away for this moment only; for all time to come
     * the record does, looked up and written under the lock. The record comes first: an instance that dies in between
     * leaves a message unsent rather than sent twice.
     *
     * @return empty, without a look, if another call is sending it now
     */
    @DistributedLock(key = "sms:#{#account}", strategy = TRY_GET_LOCK, whenBusy = SKIP)
    public Optional<Notification> welcome(String account) {
        return Optional.of(messages.find(account).map(Notification::alreadySent).orElseGet(() -> send(account)));
    }

    private Notification send(String account) {
        WelcomeMessage message = new WelcomeMessage(account, instance.name(), clock.instant());
        messages.save(message);
        gateway.send(message);
        return Notification.sent(message);
    }
}
