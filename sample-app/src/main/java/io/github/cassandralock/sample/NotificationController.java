package io.github.cassandralock.sample;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Asks for an account's welcome message. */
@RestController
class NotificationController {

    private final Bank bank;
    private final Notifications notifications;

    NotificationController(Bank bank, Notifications notifications) {
        this.bank = bank;
        this.notifications = notifications;
    }

    @PostMapping(AccountController.ACCOUNT + "/notifications")
    Notification welcome(@PathVariable String id) {
        Account account = bank.account(id);
        return notifications.welcome(account.id()).orElseGet(Notification::beingSent);
    }
}
