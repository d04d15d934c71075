package io.github.cassandralock.sample;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The counter. An account's id is up to 64 letters, digits, underscores and hyphens. */
@RestController
@RequestMapping(AccountController.ACCOUNT)
class AccountController {

    static final String ACCOUNT = "/accounts/{id:[\\w-]{1,64}}";
    private static final String TRANSFER = "/transfers/{to:[\\w-]{1,64}}";

    private final Bank bank;
    private final Transfers transfers;

    AccountController(Bank bank, Transfers transfers) {
        this.bank = bank;
        this.transfers = transfers;
    }

    @GetMapping
    Account show(@PathVariable String id) {
        return bank.account(id);
    }

    @PostMapping("/deposits")
    Account deposit(@PathVariable String id, @RequestParam String amount) {
        return bank.deposit(id, Amount.parse(amount));
    }

    @PostMapping("/withdrawals")
    Account withdraw(@PathVariable String id, @RequestParam String amount) {
        return bank.withdraw(id, Amount.parse(amount));
    }

    @PostMapping(TRANSFER)
    Transfer transfer(@PathVariable String id, @PathVariable String to, @RequestParam String amount) {
        return transfers.transfer(id, to, Amount.parse(amount));
    }
}
