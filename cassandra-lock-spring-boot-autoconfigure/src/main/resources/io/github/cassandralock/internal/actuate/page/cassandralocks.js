"use strict";

/*
 * The page of the endpoint "cassandralocks". It asks the endpoint for JSON at its own address, again and again, and shows the
 * answers. Text of lock ids, threads and processes reaches the document as text alone (textContent), never as markup.
 */
(() => {
  const OVERVIEW_MS = 1000;
  const DETAIL_MS = 1500;
  const SESSIONS_MS = 5000;
  const HISTORY = 60;
  const ROWS = 200;
  const NAMED = 10;

  const byId = id => document.getElementById(id);
  const state = {
    paused: false, chosen: new URLSearchParams(location.search).get("lockId"), overview: null, last: null, sessionsAt: -Infinity,
    detailAt: 0, rates: [], losses: [], failing: false, detail: null, asking: false, list: null
  };

  // What the document consists of

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function setText(node, text) {
    if (node.textContent !== text) node.textContent = text;
  }

  /**
   * Changes the document. If that takes the focus from an element, because it was moved, removed or hidden, the element gets it
   * back; if it is gone, another one gets it. A document without a focus sends keyboard users back to its beginning.
   */
  function keepingFocus(change, other) {
    const focused = document.activeElement;
    change();
    const gone = !focused.isConnected || focused.closest("[hidden]");
    if (gone) other().focus({preventScroll: true});
    else if (focused !== document.activeElement && focused !== document.body) focused.focus({preventScroll: true});
  }

  /** Makes the children of a node those of the items, and keeps those that are there. */
  function keyed(parent, items, key, create, update) {
    const present = new Map(Array.from(parent.children, child => [child.dataset.key, child]));
    let before = null;
    for (const item of items) {
      const name = key(item);
      const node = present.get(name) || create(item);
      present.delete(name);
      node.dataset.key = name;
      update(node, item);
      const expected = before ? before.nextElementSibling : parent.firstElementChild;
      if (node !== expected) parent.insertBefore(node, expected);
      before = node;
    }
    present.forEach(gone => gone.remove());
  }

  function badge(kind, text) {
    const made = element("span", "badge", text);
    made.dataset.kind = kind;
    return made;
  }

  function duration(millis) {
    if (millis === undefined || millis === null) return "–";
    if (millis < 1000) return millis + " ms";
    const seconds = millis / 1000;
    if (seconds < 60) return seconds.toFixed(1) + " s";
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return minutes + " min " + Math.floor(seconds % 60) + " s";
    const hours = Math.floor(minutes / 60);
    return hours < 48 ? hours + " h " + minutes % 60 + " min" : Math.floor(hours / 24) + " d " + hours % 24 + " h";
  }

  /** What is known to a second only. */
  function whole(millis) {
    return millis < 60000 ? Math.round(millis / 1000) + " s" : duration(millis);
  }

  function processName(process) {
    return process.host ? process.host + " · " + process.pid : process.owner;
  }

  // Charts

  const SVG = "http://www.w3.org/2000/svg";

  function shape(name, className, attributes) {
    const made = document.createElementNS(SVG, name);
    made.setAttribute("class", className);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    return made;
  }

  function chart(svg, values, asBars) {
    const width = HISTORY - 1, height = 36, most = Math.max(1, ...values);
    svg.setAttribute("viewBox", "0 0 " + width + " " + (height + 2));
    svg.setAttribute("preserveAspectRatio", "none");
    const x = i => width - (values.length - 1 - i);
    const y = value => height - value / most * (height - 3);
    const shapes = [shape("line", "base", {x1: 0, x2: width, y1: height, y2: height})];
    if (asBars) {
      values.forEach((value, i) => {
        if (value > 0) shapes.push(shape("rect", "bar", {x: x(i) - .4, width: .8, y: y(value), height: height - y(value)}));
      });
    } else if (values.length > 1) {
      const points = values.map((value, i) => x(i) + "," + y(value).toFixed(2)).join(" ");
      shapes.push(shape("polygon", "area", {points: x(0) + "," + height + " " + points + " " + width + "," + height}));
      shapes.push(shape("polyline", "line", {points}));
    }
    svg.replaceChildren(...shapes);
  }

  function padlock() {
    const svg = shape("svg", "padlock", {viewBox: "0 0 32 32"});
    svg.append(shape("path", "shackle", {d: "M10 15v-4a6 6 0 0 1 12 0v4"}), shape("rect", "body", {x: 8, y: 14, width: 16, height: 12, rx: 3}));
    return svg;
  }

  // Locks of this process

  function grouped(overview) {
    const locks = new Map();
    const of = id => locks.get(id) || locks.set(id, {id, held: [], waiting: []}).get(id);
    overview.held.forEach(lock => of(lock.lockId).held.push(lock));
    overview.waiting.forEach(call => of(call.lockId).waiting.push(call));
    return Array.from(locks.values()).sort((a, b) => b.waiting.length - a.waiting.length || (a.id < b.id ? -1 : 1));
  }

  /** Calls beyond the first thousand are not listed, and may wait for any lock. */
  function atLeast(count, overview) {
    return count + (overview.waitingCount > overview.waiting.length ? "+" : "");
  }

  function lockState(lock) {
    if (lock.held.some(hold => hold.lost)) return ["lost", "Lost"];
    if (lock.held.length) return lock.waiting.length ? ["contended", "Contended"] : ["held", "Held"];
    return ["waiting", "Waiting"];
  }

  function createLockRow() {
    const row = element("tr");
    const button = element("button", "lock-button");
    button.type = "button";
    button.addEventListener("click", () => choose(row.dataset.key, true));
    button.addEventListener("keydown", moveFocus);
    row.append(element("td"), element("td"), element("td"), element("td", "number"), element("td", "number"));
    row.children[0].append(button);
    row.children[1].append(badge("", ""));
    ["", "", "Thread", "For", "Waiting"].forEach((label, i) => {
      if (label) row.children[i].dataset.label = label;
    });
    return row;
  }

  function updateLockRow(row, lock, overview) {
    const [kind, text] = lockState(lock);
    const shown = lock.held.find(hold => hold.lost) || lock.held[0] || lock.waiting[0];
    const mark = row.querySelector(".badge");
    setText(row.querySelector("button"), lock.id);
    mark.dataset.kind = kind;
    setText(mark, text);
    setText(row.children[2], shown.thread + (lock.held.length > 1 ? " and " + (lock.held.length - 1) + " more" : "")
      + (shown.mode === "EXCLUSIVE" ? "" : ", " + modeName(shown.mode)));
    setText(row.children[3], duration(shown.forMillis));
    setText(row.children[4], atLeast(lock.waiting.length, overview));
    row.classList.toggle("chosen", lock.id === state.chosen);
    row.querySelector("button").setAttribute("aria-pressed", String(lock.id === state.chosen));
  }

  /** The arrow keys go from lock to lock; so does the tabulator. */
  function moveFocus(event) {
    const step = {ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling"}[event.key];
    const row = step && event.currentTarget.closest("tr")[step];
    if (row) {
      event.preventDefault();
      row.querySelector("button").focus();
    }
  }

  function showLocks(overview) {
    const filter = byId("lock-id").value.trim().toLowerCase();
    const all = grouped(overview);
    const matching = all.filter(lock => lock.id.toLowerCase().includes(filter));
    const shown = matching.slice(0, ROWS);
    const rows = byId("lock-rows");
    const place = Array.from(rows.children).findIndex(row => row.contains(document.activeElement));
    keepingFocus(() => keyed(rows, shown, lock => lock.id, createLockRow, (row, lock) => updateLockRow(row, lock, overview)), () => {
      const row = rows.children[Math.min(place, rows.children.length - 1)];
      return row ? row.querySelector("button") : byId("lock-id");
    });
    byId("no-locks").hidden = shown.length > 0;
    setText(byId("no-locks"), all.length ? "No listed lock matches. Enter shows any lock by its id."
      : "No lock is held or waited for in this process.");
    const more = matching.length - shown.length;
    const unlisted = overview.heldCount - overview.held.length + overview.waitingCount - overview.waiting.length;
    const notes = [];
    if (more) notes.push("Not shown: " + more + " more locks. Filter to find one.");
    if (unlisted) notes.push("Not listed: " + unlisted + " locks and calls beyond the first thousand. Enter shows any lock by its id.");
    byId("more-locks").hidden = notes.length === 0;
    setText(byId("more-locks"), notes.join(" "));
  }

  // Figures

  /** Losses by the end of the process are left out: they are expected. */
  function lossesOfHolders(losses) {
    return Object.entries(losses).reduce((sum, [reason, count]) => reason === "CLOSED" ? sum : sum + count, 0);
  }

  function showFigures(overview) {
    const now = performance.now();
    const figures = overview.figures;
    const lost = lossesOfHolders(figures.losses);
    if (state.last) {
      const seconds = (now - state.last.now) / 1000;
      state.rates.push(Math.max(0, (figures.handOvers - state.last.handOvers) / seconds));
      state.losses.push(Math.max(0, lost - state.last.lost));
      [state.rates, state.losses].forEach(list => list.length > HISTORY && list.shift());
    }
    state.last = {now, handOvers: figures.handOvers, lost};
    const contended = grouped(overview).filter(lock => lockState(lock)[0] === "contended").length;
    setText(byId("held"), String(overview.heldCount));
    setText(byId("held-note"), atLeast(contended, overview) + " contended");
    setText(byId("waiting"), String(overview.waitingCount));
    setText(byId("waiting-note"), overview.waiting.length ? "longest " + duration(overview.waiting[0].forMillis) : "none");
    const rate = state.rates.length ? state.rates[state.rates.length - 1] : null;
    setText(byId("rate"), rate === null ? "–" : rate < 10 ? rate.toFixed(1) : String(Math.round(rate)));
    setText(byId("rate-note"), figures.handOvers + " since the start");
    chart(byId("rate-chart"), state.rates, false);
    setText(byId("lost"), String(lost));
    const lately = state.losses.reduce((sum, count) => sum + count, 0);
    setText(byId("lost-note"), lately ? lately + " in the last minute" : "none in the last minute");
    byId("lost-figure").classList.toggle("alarming", lately > 0);
    chart(byId("lost-chart"), state.losses, true);
  }

  function showProcess(overview) {
    const process = overview.process;
    setText(byId("process"), [process.application, processName(process), "algorithm " + overview.algorithm, overview.prefix && "prefix " + overview.prefix]
      .filter(Boolean).join("  ·  "));
    showLockers(overview);
    document.title = "Locks" + (process.application ? " – " + process.application : "");
  }

  /** Links to the pages of all lockers, if the application has several. */
  function showLockers(overview) {
    const nav = byId("lockers");
    if (!nav.hidden || !overview.lockers) return;
    nav.hidden = false;
    for (const name of overview.lockers) {
      const link = element("a", "", name);
      link.href = location.pathname + "?" + new URLSearchParams({locker: name});
      if (name === overview.locker) link.setAttribute("aria-current", "page");
      nav.append("  ", link);
    }
  }

  // Sessions

  function createSessionRow() {
    const row = element("tr");
    row.append(element("td", "who"), element("td"), element("td"), element("td", "number"), element("td", "number"), element("td", "number"));
    row.children[1].append(badge("", ""));
    ["", "", "", "Age", "Renewed", "Lease"].forEach((label, i) => {
      if (label) row.children[i].dataset.label = label;
    });
    return row;
  }

  function updateSessionRow(row, session) {
    const mark = row.children[1].firstChild;
    setText(row.children[0], processName(session.process) + (session.thisProcess ? " (this one)" : ""));
    mark.dataset.kind = session.state.toLowerCase();
    setText(mark, session.state.charAt(0) + session.state.slice(1).toLowerCase());
    setText(row.children[2], session.process.application || "");
    setText(row.children[3], "about " + whole(session.ageMillis));
    setText(row.children[4], session.sinceRenewalMillis === undefined || session.sinceRenewalMillis === null ? "–"
      : whole(session.sinceRenewalMillis) + " ago");
    setText(row.children[5], session.leaseMillis % 1000 ? duration(session.leaseMillis) : whole(session.leaseMillis));
  }

  function showSessions(sessions) {
    const count = wanted => sessions.filter(session => session.state === wanted).length;
    const overdue = count("OVERDUE");
    setText(byId("alive"), String(count("ALIVE")));
    setText(byId("alive-note"), (overdue ? overdue + " overdue, " : "") + count("DEAD") + " dead");
    keyed(byId("session-rows"), sessions, session => session.id, createSessionRow, updateSessionRow);
    byId("no-sessions").hidden = sessions.length > 0;
  }

  // One lock

  function choose(lockId, moveFocusThere) {
    state.chosen = lockId;
    state.detail = null;
    state.detailAt = 0;
    const query = new URLSearchParams({lockId, ...ofLocker});
    history.replaceState(null, "", location.pathname + "?" + query);
    byId("force-release-answer").hidden = true;
    byId("detail-problem").hidden = true;
    showDetail();
    if (state.overview) showLocks(state.overview);
    setText(byId("announcement"), "Lock " + lockId + " is shown");
    if (moveFocusThere && matchMedia("(max-width: 1000px)").matches) {
      byId("detail").scrollIntoView({block: "start"});
      byId("detail-title").focus({preventScroll: true});
    }
    askDetail();
  }

  function fact(label, value) {
    const pair = element("div");
    pair.append(element("dt", "", label), element("dd", "", value));
    return pair;
  }

  /** The names of the holders, or how many there are if they are more than this. */
  function holderNames(detail, most) {
    if (!detail.holders.length) return "nobody";
    return detail.holderCount > most ? String(detail.holderCount)
      : Array.from(new Set(detail.holders.map(holder => processName(holder.process)))).join(", ");
  }

  const PLACES = {HOLDER: "Holder", WAITING: "Waiting", ARRIVING: "Arriving", COMPETING: "Competing"};

  function entryNote(entry, ahead) {
    const parts = [];
    if (entry.place === "HOLDER") parts.push("holds the lock");
    else if (ahead) parts.push("behind " + ahead);
    if (entry.thread) parts.push("thread " + entry.thread);
    if (entry.forMillis !== undefined && entry.forMillis !== null) {
      parts.push(entry.thread ? "for " + duration(entry.forMillis) : "row written " + whole(entry.forMillis) + " ago");
    }
    if (entry.ticket !== undefined && entry.ticket !== null) parts.push("ticket\u00a0" + entry.ticket);
    return parts.join(" · ");
  }

  function showEntry(node, item) {
    const {entry, ahead, position, threads, last, withMode, overdue} = item;
    node.dataset.place = entry.place;
    const body = element("div");
    const who = element("p", "who", processName(entry.process));
    if (entry.process.application) who.append(element("span", "subtle", "  " + entry.process.application));
    if (entry.place !== "WAITING") who.append(badge(entry.place === "HOLDER" ? "held" : "waiting", PLACES[entry.place]));
    if (withMode) who.append(badge("", modeName(entry.mode)));
    if (entry.permits > 1) who.append(badge("", entry.permits + " permits"));
    if (entry.thisProcess) who.append(badge("", "This process"));
    if (overdue) who.append(badge("overdue", "Session overdue"));
    body.append(who, element("p", "note", entryNote(entry, ahead)));
    if (threads.length) {
      const list = element("ul", "threads");
      threads.slice(0, 60).forEach(call => list.append(element("li", "", call.thread + " waits for " + duration(call.forMillis))));
      if (threads.length > 60) list.append(element("li", "", "and " + (threads.length - 60) + " more threads"));
      body.append(element("p", "note", threads.length + (threads.length === 1 ? " thread" : " threads") + " of this process in line" + (entry.place === "HOLDER" && !last ? ". This process may hand the lock to them for a moment, and then queues again, behind the others:" : ":")), list);
    }
    const mark = element("span", "step", entry.place === "HOLDER" ? "" : String(position));
    mark.setAttribute("aria-hidden", "true");
    if (entry.place === "HOLDER") mark.append(padlock());
    node.replaceChildren(mark, body);
  }

  /** PROTECTED_READ is shown as "Protected read". */
  function modeName(mode) {
    const words = mode.toLowerCase().replaceAll("_", " ");
    return words.charAt(0).toUpperCase() + words.slice(1);
  }

  /** Modes that one holder has at a time. */
  const ALONE = ["EXCLUSIVE", "PROTECTED_WRITE"];

  /** Who is directly ahead: for the first one that waits, all holders; a reader does not wait for readers before it. */
  function ahead(all, i, holders) {
    if (!i) return null;
    if (i === holders && holders > 1) return holders + " holders";
    let before = i - 1;
    while (before >= holders && all[before].mode === all[i].mode && !ALONE.includes(all[i].mode)) before--;
    if (before < 0) return null;
    return before < holders && holders > 1 ? holders + " holders" : processName(all[before].process);
  }

  /** Threads of this process share rows of Cassandra: they are in line where the first of these with their mode waits. */
  function entries(detail) {
    const shown = detail.holders.slice(0, ROWS);
    const all = shown.concat(detail.queue);
    const first = test => {
      const waits = all.findIndex(entry => entry.thisProcess && entry.place !== "HOLDER" && test(entry));
      return waits >= 0 ? waits : all.findIndex(entry => entry.thisProcess && test(entry));
    };
    const placeOf = call => {
      const same = first(entry => entry.mode === call.mode);
      return same >= 0 ? same : first(() => true);
    };
    const threadsHaveRows = all.some(entry => entry.threadId && entry.attempt === undefined);
    const withMode = all.some(entry => entry.mode !== "EXCLUSIVE");
    const overdue = new Set(detail.sessions.filter(session => session.state === "OVERDUE").map(session => session.id));
    return all.map((entry, i) => ({
      entry, withMode, overdue: overdue.has(entry.session), last: i === all.length - 1, ahead: ahead(all, i, shown.length), position: i - shown.length + 1,
      threads: threadsHaveRows ? []
        : detail.waitingHere.filter(call => placeOf(call) === i && call.threadId !== entry.threadId)
    }));
  }

  function showDetail() {
    const detail = state.detail;
    setText(byId("detail-title"), state.chosen || "Who waits behind whom");
    byId("detail-empty").hidden = state.chosen !== null;
    byId("facts").hidden = !detail;
    byId("queue").hidden = !detail;
    keepingFocus(() => {
      byId("force-release").hidden = !detail || !detail.holders.length || !state.overview || !state.overview.forceRelease;
    }, () => byId("detail-title"));
    byId("queue-more").hidden = true;
    if (!detail) return;
    const facts = [
      fact(detail.holderCount > 1 ? "Holders" : "Holder", holderNames(detail, 1)),
      fact("Waiting elsewhere", String(detail.queueLength - detail.queue.filter(entry => entry.thisProcess).length)),
      fact("Waiting here", detail.waitingHereCount + (detail.waitingHereCount === 1 ? " thread" : " threads")),
      fact("Highest token", detail.lastToken === undefined || detail.lastToken === null ? "none reserved" : String(detail.lastToken))
    ];
    const lost = detail.heldHere.filter(lock => lock.lost);
    if (lost.length) facts.push(fact("Lost, not released", lost.map(lock => lock.thread).join(", ")));
    byId("facts").replaceChildren(...facts);
    keyed(byId("queue"), entries(detail), item => (item.entry.session || item.entry.threadId) + " " + item.entry.attempt + item.entry.place,
      () => element("li"), showEntry);
    const other = detail.underOther;
    const notes = [];
    const moreHolders = detail.holderCount - Math.min(detail.holders.length, ROWS);
    if (moreHolders) notes.push("Not shown: " + moreHolders + " more holders.");
    if (detail.queueLength > detail.queue.length) notes.push("Not shown: " + (detail.queueLength - detail.queue.length) + " more that wait.");
    if (other) notes.push("Under the algorithm " + other.algorithm + ": " + (other.holders.length ? "held by " + holderNames(other, 1) : "not held") + ", " + other.queueLength + " waiting.");
    byId("queue-more").hidden = notes.length === 0;
    setText(byId("queue-more"), notes.join(" "));
  }

  // Locks of all processes, on demand: each page is a scan

  function createListRow(lock) {
    const row = element("tr");
    const button = element("button", "lock-button", lock.lockId);
    button.type = "button";
    button.addEventListener("click", () => choose(lock.lockId, true));
    row.append(element("td"), element("td"), element("td"), element("td", "number"), element("td", "number"));
    row.children[0].append(button);
    const [kind, text] = !lock.holder ? ["waiting", "Waiting"] : lock.queueLength ? ["contended", "Contended"] : ["held", "Held"];
    row.children[1].append(badge(kind, text));
    setText(row.children[2], lock.holder ? processName(lock.holder.process) + (lock.holderCount > 1 ? " and " + (lock.holderCount - 1) + " more" : "") : "nobody");
    setText(row.children[3], lock.holder ? whole(lock.holder.forMillis || 0) : "–");
    setText(row.children[4], String(lock.queueLength));
    ["", "", "Holder", "For", "Waiting"].forEach((label, i) => {
      if (label) row.children[i].dataset.label = label;
    });
    return row;
  }

  async function askList(idPrefix, page) {
    const asked = state.list = {idPrefix, next: page, reading: true};
    byId("list-next").setAttribute("aria-disabled", "true");
    showListProblem("");
    setText(byId("list-note"), "Reading …");
    try {
      const answer = await request(page ? {idPrefix, page} : {idPrefix});
      if (asked !== state.list) return;
      asked.next = answer.next || null;
      byId("list-rows").replaceChildren(...answer.locks.map(createListRow));
      byId("list-table").hidden = answer.locks.length === 0;
      showListProblem(answer.unread || "");
      setText(byId("list-note"), answer.locks.length + (answer.locks.length === 1 ? " lock" : " locks") + " on this page, read at "
        + new Date(answer.at).toLocaleTimeString() + (asked.next ? "." : ". There are no more."));
    } catch (failure) {
      if (asked !== state.list) return;
      showListProblem(failure.status ? failure.message : "This application does not answer.");
      setText(byId("list-note"), page ? "The next page was not read." : "");
    }
    asked.reading = false;
    byId("list-next").setAttribute("aria-disabled", "false");
    keepingFocus(() => {
      byId("list-next").hidden = !asked.next;
    }, () => byId("id-prefix"));
  }

  function showListProblem(text) {
    byId("list-problem").hidden = !text;
    setText(byId("list-problem"), text);
  }

  // Requests

  /** The parameter of the locker that this page shows; empty for the first. */
  const locker = new URLSearchParams(location.search).get("locker");
  const ofLocker = locker === null ? {} : {locker};

  async function request(query, options) {
    const address = location.pathname + "?" + new URLSearchParams({...query, ...ofLocker});
    const response = await fetch(address, {credentials: "same-origin", cache: "no-store", ...options,
      headers: {Accept: "application/json", ...(options && options.headers)}});
    const type = response.headers.get("content-type") || "";
    const body = type.includes("json") ? await response.json() : {};
    if (!response.ok) throw Object.assign(new Error(body.message || "The endpoint answered with status " + response.status + "."), {status: response.status});
    return body;
  }

  /** An answer may arrive during a pause: it was asked for before. */
  function live(kind, text) {
    byId("live").dataset.state = state.paused ? "paused" : kind;
    setText(byId("live-text"), state.paused ? "Paused" : text);
  }

  async function askOverview() {
    try {
      const overview = await request(null);
      const hadNone = state.overview === null;
      state.overview = overview;
      state.failing = false;
      byId("problem").hidden = true;
      live("live", "Live");
      showProcess(overview);
      showFigures(overview);
      showLocks(overview);
      if (hadNone) showDetail();
    } catch (failure) {
      failed(failure);
    }
  }

  /** Sessions are read from Cassandra. If it does not answer, what this process knows is shown all the same. */
  async function askSessions() {
    state.sessionsAt = performance.now();
    try {
      showSessions((await request({sessions: "true"})).sessions || []);
      byId("sessions-problem").hidden = true;
    } catch (failure) {
      byId("sessions-problem").hidden = !failure.status;
      setText(byId("sessions-problem"), failure.message);
    }
  }

  function failed(failure) {
    state.failing = true;
    byId("problem").hidden = false;
    setText(byId("problem"), failure.status === 401 || failure.status === 403
      ? "The endpoint refuses the request. Log in, and load this page again."
      : failure.status ? failure.message : "This application does not answer. The figures below are old.");
    live("failing", "Not answering");
  }

  async function askDetail() {
    if (state.chosen === null || state.asking) return;
    const asked = state.chosen;
    state.asking = true;
    try {
      const detail = await request({lockId: asked});
      if (asked === state.chosen) {
        state.detail = detail;
        byId("detail-problem").hidden = true;
        showDetail();
      }
    } catch (failure) {
      if (asked === state.chosen) {
        byId("detail-problem").hidden = false;
        setText(byId("detail-problem"), failure.status ? failure.message : "This application does not answer.");
      }
    } finally {
      state.asking = false;
      state.detailAt = performance.now();
    }
    if (asked !== state.chosen) askDetail();
  }

  async function run() {
    for (;;) {
      if (!state.paused && !document.hidden) {
        await askOverview();
        if (performance.now() - state.detailAt >= DETAIL_MS) askDetail();
        if (performance.now() - state.sessionsAt >= SESSIONS_MS) askSessions();
      }
      await new Promise(resolve => setTimeout(resolve, state.failing ? 3 * OVERVIEW_MS : OVERVIEW_MS));
    }
  }

  // Forced release

  /** Spring Security's token, if it is in a cookie that this page may read. */
  function csrfHeaders() {
    const token = document.cookie.split("; ").find(cookie => cookie.startsWith("XSRF-TOKEN="));
    return token ? {"X-XSRF-TOKEN": decodeURIComponent(token.slice("XSRF-TOKEN=".length))} : {};
  }

  async function forceRelease(lockId) {
    const answer = byId("force-release-answer");
    answer.hidden = false;
    setText(answer, "Force-releasing …");
    try {
      // A release names its locker if there are several, also on the page of the first.
      const shown = state.overview && state.overview.locker;
      const body = await request(shown ? {lockId, locker: shown} : {lockId}, {method: "DELETE", headers: csrfHeaders()});
      setText(answer, body.message || "Done.");
    } catch (failure) {
      setText(answer, failure.status === 403
        ? "Refused. If Spring Security needs a CSRF token, configure it to put the token into a cookie that scripts may read."
        : failure.message);
    }
    askDetail();
  }

  byId("force-release").addEventListener("click", () => {
    const detail = state.detail;
    if (!detail || !detail.holders.length) return;
    const holder = detail.holders[0];
    const dialog = byId("confirm");
    dialog.dataset.lockId = state.chosen;
    setText(byId("confirm-lock"), state.chosen);
    setText(byId("confirm-holder"), detail.holderCount > 1 ? "All " + detail.holderCount + " holders lose it"
      + (detail.holderCount > NAMED ? "." : ": " + holderNames(detail, NAMED))
      : "Holder: " + processName(holder.process) + (holder.thread ? ", thread " + holder.thread : ""));
    dialog.returnValue = "cancel";
    dialog.showModal();
  });
  byId("confirm").addEventListener("close", event => {
    if (event.target.returnValue === "force-release") forceRelease(event.target.dataset.lockId);
  });

  byId("pause").addEventListener("click", () => {
    state.paused = !state.paused;
    state.last = null;
    byId("pause").setAttribute("aria-pressed", String(state.paused));
    setText(byId("pause"), state.paused ? "Go on" : "Pause");
    live("starting", "Starting");
  });
  byId("lock-id").addEventListener("input", () => state.overview && showLocks(state.overview));
  byId("list").addEventListener("submit", event => {
    event.preventDefault();
    askList(byId("id-prefix").value, null);
  });
  byId("list-next").addEventListener("click", () => {
    if (!state.list.reading) askList(state.list.idPrefix, state.list.next);
  });
  byId("look").addEventListener("submit", event => {
    event.preventDefault();
    const lockId = byId("lock-id").value.trim();
    if (lockId) choose(lockId, true);
  });

  if (state.chosen !== null) showDetail();
  run();
})();
