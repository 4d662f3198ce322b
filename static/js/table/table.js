// Binds the page to its match: frames move the model, the model is drawn, presses become commands.

/** @import { BoardState, Command, Frame, GraphStep, Match, MatchEvent, OpenStep, Place, Side, View } from "../types.js"
 * @import { Act } from "./actions.js" @import { Model } from "./session.js" */

import { createBoard } from "../board/board.js";
import { other } from "../board/geometry.js";
import { complete, kept, pips, wireOf } from "../board/state.js";
import { watching, words } from "../board/words.js";
import { awayBefore, awayLeft, blitzLoss, creditText, isPlaying } from "./absence.js";
import { Actions } from "./actions.js";
import { Again } from "./again.js";
import { AdjudicatingSheet } from "./adjudicating.js";
import { boardState, routeOf, viewerOf } from "./boardstate.js";
import { Chat } from "./chat.js";
import { find, part, write } from "./dom.js";
import { MoveList } from "./movelist.js";
import { lastRoll } from "./moves.js";
import { showGate, Toasts } from "./notices.js";
import { showOffer } from "./offer.js";
import { Panels } from "./panels.js";
import { kindText, nameOf, newsText, saying, variantName } from "./phrases.js";
import { dropQuestion, resignQuestion } from "./questions.js";
import { ReadyCheck } from "./ready.js";
import { outcomeSound, ResultSheet } from "./result.js";
import { Score } from "./score.js";
import { promise, seedOf } from "./seeds.js";
import { EMPTY, received, sending, serverNow, waiting } from "./session.js";
import { Settings } from "./settings.js";
import { browserWorld, everyBeat, Line } from "./socket.js";
import { play as playSound, unlock } from "./sound.js";
import { Strip } from "./strips.js";
import { clockFace, clockText, leftUntil } from "./time.js";

const TICK_MS = 200;
const SLOW_MS = 300;
const LOST_AFTER_MS = 1_000;
const CLAIM_AFTER_MS = 1_500;
const OPENING_MS = 1_300;
const GAPS_BEFORE_SNAPSHOT = 2;
/** Commands after which the player waits for the server. @type {Set<string>} */
const DECIDING = new Set(["accept", "leave", "roll", "double", "take", "drop", "beaver", "play", "resign", "answer", "rematch"]);
/** Sent by the page itself: their refusals are nobody's business. @type {Set<string>} */
const SILENT = new Set(["claim", "reveal"]);
const KEYS = new Map([["r", "roll"], ["d", "double"], ["e", "done"], ["u", "undo"], ["backspace", "undo"]]);

/** @typedef {Model & { view: View, match: Match }} Ready   a model after its first snapshot */

class Table {
  /** @type {Model} */ model = EMPTY;
  live = false;
  /** @type {number | null} */ lostAt = Date.now();
  gaps = 0;
  slow = "";
  /** The turn being chosen: which roll it answers, and the steps so far. */
  turn = { key: "", begun: false, chosen: /** @type {GraphStep[]} */ ([]) };
  /** @type {Place | null} */ selected = null;
  /** Opening throws still to be shown, the first of them now. @type {{ light: number, dark: number }[]} */ openings = [];
  low = false;
  claimed = -1;
  revealed = false;

  /** @param {HTMLElement} main */
  constructor(main) {
    this.main = main;
    this.matchId = main.dataset.match ?? "";
    this.host = find(main, ".board-host");
    this.strips = { their: new Strip(main, "their"), own: new Strip(main, "own") };
    this.actions = new Actions(main, (act) => this.act(act));
    this.ready = new ReadyCheck(main, { accept: () => void this.accept(), leave: () => this.command("leave") });
    this.result = new ResultSheet(main);
    this.again = new Again(main, (want) => this.command("rematch", { want }));
    this.adjudicating = new AdjudicatingSheet(main);
    this.score = new Score(main);
    this.moves = new MoveList(main);
    this.chat = new Chat(main, this.matchId, (text) => this.command("chat", { text }));
    this.panels = new Panels(main, (name) => { if (name === "chat") this.chat.seen(); });
    this.settings = new Settings({ main, host: this.host, send: (switches) => this.command("switches", { ...switches }) });
    this.toasts = new Toasts(main);
    this.board = createBoard(this.host, {
      board: (state) => this.#words().board(state),
      place: (facts) => this.#words().place(facts),
    });
    this.line = new Line(browserWorld(main.dataset.socket ?? `/ws/table/${this.matchId}/`), {
      have: () => (this.gaps > GAPS_BEFORE_SNAPSHOT ? 0 : this.model.version),
      frame: (frame) => this.#frame(frame),
      line: (live) => this.#line(live),
      final: (code) => showGate(main, code, this.model.farewell),
    });
    this.#listen();
    this.#blank();
    this.line.connect();
  }

  #listen() {
    this.host.addEventListener("board:step", (event) => { if (event instanceof CustomEvent) this.#step(event.detail); });
    this.host.addEventListener("board:select", (event) => { if (event instanceof CustomEvent) this.#select(event.detail.place); });
    for (const node of [this.host, this.actions.bar]) node.addEventListener("keydown", (event) => this.#key(event));
    for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, unlock, { passive: true });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.line.probe(); });
    window.addEventListener("online", () => this.line.probe());
    window.addEventListener("pageshow", (event) => { if (event.persisted) this.line.probe(); });
    everyBeat(() => this.line.beat());
    setInterval(() => this.#tick(), TICK_MS);
  }

  // --- the line ------------------------------------------------------------------------------------

  /** @param {Frame} frame */
  #frame(frame) {
    const { model, news, gap, refusal } = received(this.model, frame, Date.now());
    const before = this.model;
    this.model = model;
    if (gap) {
      this.gaps += 1;
      this.line.hello();
    } else if (frame.kind === "snapshot" || frame.kind === "events") this.gaps = 0;
    if (refusal) this.#refused(refusal);
    if (frame.kind === "beat" || !model.view) return;
    this.#news(news);
    if (frame.kind === "presence") this.#presence(before);
    this.draw();
  }

  /** @param {boolean} live */
  #line(live) {
    if (live === this.live && live) return;
    this.live = live;
    this.lostAt = live ? null : (this.lostAt ?? Date.now());
    this.draw();
  }

  /** @param {{ cmd: string | null, code: string, text: string }} refusal */
  #refused({ cmd, code, text }) {
    if (cmd && SILENT.has(cmd)) return;
    if (cmd === "accept" || cmd === "leave") this.ready.problem(text);
    else this.toasts.say(text, code);
  }

  /** @param {Command} cmd @param {Record<string, unknown>} [fields] */
  command(cmd, fields = {}) {
    const id = this.line.send(cmd, this.model.seen, fields);
    this.model = sending(this.model, id, cmd);
    if (DECIDING.has(cmd)) setTimeout(() => this.#slow(id), SLOW_MS);
    this.draw();
  }

  get busy() {
    return waiting(this.model, (cmd) => DECIDING.has(cmd));
  }

  /** A command that is still on its way after a while is worth a word.
   * @param {string} id */
  #slow(id) {
    if (!this.model.sent[id]) return;
    this.slow = id;
    this.draw();
  }

  // --- the player's presses -----------------------------------------------------------------------------

  /** @param {Act} act */
  act(act) {
    switch (act) {
      case "roll": return this.command("roll");
      case "double": return this.command("double");
      case "take": return this.command("take");
      case "beaver": return this.command("beaver");
      case "accept-resign": return this.command("answer", { accept: true });
      case "refuse-resign": return this.command("answer", { accept: false });
      case "done": return this.command("play", { steps: this.turn.chosen.map(({ from, to }) => [wireOf(from), wireOf(to)]) });
      case "undo": return this.#undo();
      case "drop": return this.#ask("drop");
      case "resign": return this.#ask("resign");
    }
  }

  /** @param {"drop" | "resign"} act */
  #ask(act) {
    const model = this.#known();
    if (!model) return;
    const question = act === "drop"
      ? dropQuestion(model, () => this.command("drop"))
      : resignQuestion(model, (level) => this.command("resign", { level }));
    this.actions.askOnce(act, question);
  }

  /** The seed is made and kept before its hash leaves this browser. */
  async accept() {
    const { match } = this.model;
    if (!match) return;
    this.ready.problem("");
    try {
      const commit = await promise(this.matchId, match.server_commit);
      this.command("accept", { commit });
    } catch {
      this.ready.problem(gettext("This browser cannot lock the dice here. Open the site over a secure connection (https)."));
    }
  }

  /** @param {OpenStep} step */
  #step(step) {
    this.turn.chosen = [...this.turn.chosen, ...step.parts];
    this.turn.begun = true;
    this.selected = null;
    this.openings = [];
    playSound("move");
    this.draw();
  }

  /** @param {Place | null} place */
  #select(place) {
    this.selected = place;
    if (place !== null) this.turn.begun = true;
    this.draw();
  }

  #undo() {
    this.turn.chosen = this.turn.chosen.slice(0, -1);
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return;
    const latin = /^[a-z]$/i.test(event.key) || event.key === "Backspace";
    const key = latin ? event.key : event.code.replace("Key", "");
    const act = KEYS.get(key.toLowerCase());
    if (act && this.actions.press(act)) event.preventDefault();
  }

  // --- what just happened ----------------------------------------------------------------------------------

  /** @param {readonly MatchEvent[]} news */
  #news(news) {
    const texts = news.map((event) => newsText(event, this.model)).filter(Boolean);
    if (texts.length) this.#announce(texts.join(" "));
    for (const event of news) {
      if (event.kind === "opening_rolled" || event.kind === "colours_drawn") this.#opening(event);
      if (event.kind === "credited") this.toasts.say(creditText(event.ms), "credited");
      if (event.kind === "player_returned" && event.side === this.model.you) this.#welcome(event.side);
      if (event.kind === "game_ended" && this.model.match?.kind === "series") this.toasts.say(newsText(event, this.model), "game");
    }
    const sound = this.#soundOf(news);
    if (sound) playSound(sound);
  }

  /** @param {readonly MatchEvent[]} news */
  #soundOf(news) {
    const { view, you } = this.model;
    const kinds = new Set(news.map((event) => event.kind));
    if (kinds.has("match_ended")) return outcomeSound(you, view?.result ?? null);
    const toAct = you !== null && view?.to_act === you;
    if (toAct && ["double_offered", "beavered", "resign_offered"].some((kind) => kinds.has(/** @type {MatchEvent["kind"]} */ (kind)))) return "offer";
    if (kinds.has("rolled") || kinds.has("opening_rolled") || kinds.has("colours_drawn")) return "roll";
    const theirs = news.some((event) => event.kind === "turn_played" && event.side !== you);
    if (theirs) return toAct ? "turn" : "move";
    return null;
  }

  /** Back at the table: how much of one's time away is used up; the strip shows the rest.
   * @param {Side} side */
  #welcome(side) {
    const used = { used: clockText(awayBefore(this.model.events, side)) };
    this.toasts.say(interpolate(gettext("You are back. You have been away for %(used)s in this match; beside your name stands how much is left."), used, true), "back");
  }

  /** @param {{ light: number, dark: number }} thrown */
  #opening({ light, dark }) {
    this.openings.push({ light, dark });
    setTimeout(() => { this.openings.shift(); this.draw(); }, OPENING_MS * this.openings.length);
  }

  /** @param {Model} before */
  #presence(before) {
    const { you, presence } = this.model;
    if (!you || !presence || !before.presence || (this.model.view && isPlaying(this.model.view))) return;  // then events tell
    const rival = other(you);
    const [now, then] = [presence[rival], before.presence[rival]];
    if (!now || !then || now.here === then.here) return;
    const facts = { name: nameOf(this.model, rival) };
    this.#announce(now.here
      ? interpolate(gettext("%(name)s is back at the table."), facts, true)
      : interpolate(gettext("%(name)s has lost the connection."), facts, true));
  }

  /** @param {string} text */
  #announce(text) {
    write(part(this.main, "news"), text);
  }

  // --- drawing ---------------------------------------------------------------------------------------------------

  /** @returns {Ready | null} */
  #known() {
    const { model } = this;
    return model.view && model.match ? /** @type {Ready} */ (model) : null;
  }

  #words() {
    const { you, match } = this.model;
    if (you || !match) return words;
    return watching({ light: match.players.light.name, dark: match.players.dark.name });
  }

  #blank() {
    this.board.show({
      points: Array(24).fill(0), bar: { light: 0, dark: 0 }, off: { light: 15, dark: 15 }, dice: null, cube: null, openSteps: [], lastTurn: null,
      orientation: { viewer: "light", mover: "light", route: "opposed" },
    });
  }

  draw() {
    const model = this.#known();
    if (!model) return this.#connecting();
    this.#facts(model);
    this.#keepTurn(model);
    const moving = this.#isMoving(model);
    const { chosen } = this.turn;
    const whole = moving && model.view.turns !== null && complete(model.view.turns, chosen);
    const shown = boardState(model, {
      chosen: moving ? chosen : [],
      open: moving && !this.busy,
      arrows: !(moving && this.turn.begun),
      opening: this.openings[0] ?? null,
    });
    this.main.dataset.white = shown.orientation.white;
    this.board.show(shown);
    if (this.board.selected === null) this.selected = null;
    this.#strips(model, shown);
    this.#bar(model, shown, whole);
    this.ready.show(model, this.live && !this.busy);
    this.adjudicating.show(model);
    this.result.show(model);
    this.again.show(model, this.live && !this.busy);
    this.#panels(model);
    showOffer(part(this.main, "offer"), model);
    this.#reveal(model);
    this.#tick();
    return undefined;
  }

  #connecting() {
    this.actions.saying(this.live ? gettext("Connecting to the table…") : gettext("The table cannot be reached. Trying again…"));
  }

  /** @param {Ready} model */
  #facts({ view, version, you, match }) {
    const { dataset } = this.main;
    dataset.phase = view.phase;
    dataset.version = String(version);
    dataset.you = you ?? "";
    dataset.toAct = view.to_act ?? "";
    dataset.onRoll = view.on_roll ?? "";
    dataset.busy = String(this.busy);
    document.title = this.#title(view, you, match);
    write(part(this.main, "title"), `${variantName(match.variant)}, ${kindText(match)}: ${match.players.light.name} – ${match.players.dark.name}`);
  }

  /** @param {View} view @param {Side | null} you @param {Match} match */
  #title(view, you, match) {
    const names = `${match.players.light.name} – ${match.players.dark.name}`;
    if (you && view.to_act === you && view.phase !== "over") return `${gettext("Your turn")} · ${names} – Nardy`;
    return `${names} – Nardy`;
  }

  /** Chosen steps live as long as the roll they answer.
   * @param {Ready} model */
  #keepTurn({ view, events }) {
    const key = `${view.game}:${lastRoll(events)?.n ?? 0}:${view.phase === "to_move" ? view.on_roll : ""}`;
    if (key !== this.turn.key) this.turn = { key, begun: false, chosen: [] };
    else if (view.turns) this.turn.chosen = kept(view.turns, this.turn.chosen);
  }

  /** @param {Ready} model */
  #isMoving({ view, you }) {
    return you !== null && view.phase === "to_move" && view.on_roll === you && view.turns !== null;
  }

  /** @param {Ready} model @param {BoardState} shown */
  #strips(model, shown) {
    const { view, match } = model;
    const viewer = viewerOf(model);
    for (const [strip, side] of /** @type {[Strip, Side][]} */ ([[this.strips.their, other(viewer)], [this.strips.own, viewer]])) {
      strip.show({
        side,
        player: match.players[side],
        turn: view.to_act === side,
        pips: view.board ? pips(shown, side) : null,
        score: match.kind === "series" ? `${view.score[side]}/${match.length}` : null,
        crawford: view.crawford && side === viewer,
        cube: shown.cube,
      });
    }
  }

  /** @param {Ready} model @param {BoardState} shown @param {boolean} whole */
  #bar(model, shown, whole) {
    const left = shown.dice?.values.filter((die) => !die.used).map((die) => die.value) ?? [];
    const { chosen } = this.turn;
    const held = this.actions.bar.contains(document.activeElement);
    this.actions.show({ view: model.view, mayPress: this.live && !this.busy, lost: this.#isLost(), complete: whole, started: chosen.length > 0, cube: routeOf(model.match.variant) === "opposed" });
    const moment = { model, left, chosen, complete: whole, selected: this.selected, slow: this.#isSlow() };
    this.actions.saying(this.#isLost() ? this.#lostSaying(model) : (this.#awaySaying(model) ?? saying(moment)));
    this.main.toggleAttribute("data-lost", this.#isLost());
    if (held) this.#passFocus();
  }

  /** A button that can no longer be pressed hands the focus to the board. */
  #passFocus() {
    const { activeElement } = document;
    const dead = activeElement instanceof HTMLButtonElement && (activeElement.disabled || activeElement.offsetParent === null);
    const stop = this.host.querySelector("button[tabindex='0']");
    if (dead && stop instanceof HTMLElement) stop.focus();
  }

  #isSlow() {
    return this.slow in this.model.sent;
  }

  #isLost() {
    return !this.live && this.lostAt !== null && Date.now() - this.lostAt >= LOST_AFTER_MS;
  }

  /** @param {Ready} model */
  #lostSaying({ view, you, match }) {
    if (["over", "cancelled", "void", "adjudicating"].includes(view.phase)) return gettext("Connection lost, trying again. What is shown here stands.");
    if (!you || !view.clock.running) return gettext("Connection lost, trying again.");
    if (match.blitz) return interpolate(gettext("Connection lost, trying again. In blitz, staying away loses %(sum)s, three times the stake."), { sum: blitzLoss(match) }, true);
    if (view.clock.running !== you) return gettext("Connection lost, trying again. Your opponent’s clock is running.");
    return this.turn.chosen.length
      ? gettext("Connection lost, trying again. Your clock runs on; the steps you chose are kept.")
      : gettext("Connection lost, trying again. Your clock runs on.");
  }

  /** The opponent must act and is not there.
   * @param {Ready} model @returns {string | null} */
  #awaySaying({ view, you, match, presence }) {
    const { running } = view.clock;
    if (!you || !running || running === you || presence?.[running]?.here !== false) return null;
    return interpolate(gettext("%(name)s is away; the clock runs on."), { name: match.players[running].name }, true);
  }

  /** @param {Ready} model */
  #panels(model) {
    const viewer = viewerOf(model);
    /** @type {[Side, Side]} */
    const order = [other(viewer), viewer];
    this.score.show(model, order);
    this.moves.show(model, order);
    if (this.chat.show(model)) playSound("chat");
    // a switch stays as it was pressed while the server is being told
    if (!waiting(model, (cmd) => cmd === "switches")) this.settings.show(model.view);
  }

  /** Both have accepted: this browser's seed goes to the server by itself.
   * @param {Ready} model */
  #reveal({ view, you }) {
    if (view.phase !== "seeds" || !you || this.revealed || !view.may.includes("reveal")) return;
    const seed = seedOf(this.matchId);
    if (!seed) {
      this.ready.problem(gettext("You accepted in another browser; the dice can only be unlocked there."));
      return;
    }
    this.revealed = true;
    this.command("reveal", { seed });
  }

  // --- time ------------------------------------------------------------------------------------------------------------

  #tick() {
    const model = this.#known();
    if (!model) return;
    const now = serverNow(model, Date.now());
    const viewer = viewerOf(model);
    this.strips.own.showClock(clockFace(model.view.clock, viewer, now), model.view.clock.move_ms);
    this.strips.their.showClock(clockFace(model.view.clock, other(viewer), now), model.view.clock.move_ms);
    for (const [strip, side] of /** @type {[Strip, Side][]} */ ([[this.strips.their, other(viewer)], [this.strips.own, viewer]])) {
      const { presence, view, match, events } = model;
      const seat = presence?.[side];
      if (seat) strip.showSeat(seat, { now, playing: isPlaying(view), blitz: match.blitz ?? false, before: awayBefore(events, side) });
    }
    this.adjudicating.tick(model.view, now);
    this.ready.tick(model.view, now);
    this.#until(model, now);
    this.#lowTime(model, now);
    this.#claim(model, now);
    if (this.#isLost() !== this.main.hasAttribute("data-lost")) this.draw();
  }

  /** @param {Ready} model @param {number} now */
  #until(model, now) {
    const { view, you } = model;
    const node = part(this.main, "until");
    const away = this.#ownAway(model, now);
    const counts = this.#isLost() ? away !== null || (you !== null && view.clock.running === you) : this.#awaySaying(model) !== null;
    node.hidden = !counts;
    if (!counts) return;
    const due = leftUntil(view.clock.deadline, now);
    const time = { time: clockText(away ?? due) };
    if (away !== null) write(node, interpolate(gettext("you may be away for %(time)s"), time, true));
    else if (this.#leavesFirst(model, now, due)) write(node, interpolate(gettext("has left the match in %(time)s"), time, true));
    else write(node, interpolate(gettext("out of time in %(time)s"), time, true));
  }

  /** Whether the one who is away runs out of time to come back before the clock does: the deadline is the earlier of the two.
   * @param {Ready} model @param {number} now @param {number} due */
  #leavesFirst({ view, presence }, now, due) {
    const { running } = view.clock;
    const seat = running && presence?.[running];
    if (!seat || seat.here || this.#isLost()) return false;
    const left = awayLeft(seat, now);
    return left !== null && left <= due + TICK_MS;
  }

  /** While this tab cannot reach the table: how much longer its player may be away, unless the clock runs out first.
   * @param {Ready} model @param {number} now */
  #ownAway({ view, you, match, presence }, now) {
    const seat = you && presence?.[you];
    if (!seat || match.blitz || !this.#isLost() || !isPlaying(view)) return null;
    const since = now - (Date.now() - (this.lostAt ?? Date.now()));
    const left = awayLeft({ ...seat, here: false, since }, now);
    const onClock = view.clock.running === you ? leftUntil(view.clock.deadline, now) : Infinity;
    return left !== null && left < onClock ? left : null;
  }

  /** @param {Ready} model @param {number} now */
  #lowTime({ view, you }, now) {
    const low = you !== null && clockFace(view.clock, you, now).low;
    if (low && !this.low) {
      playSound("low");
      write(part(this.main, "alarm"), gettext("Ten seconds left."));
    } else if (!low) write(part(this.main, "alarm"), "");
    this.low = low;
  }

  /** The server ends a match by itself; this is the second way, should its clockwork be late.
   * @param {Ready} model @param {number} now */
  #claim({ view, you, version }, now) {
    const { running, deadline } = view.clock;
    if (!you || !running || running === you || deadline === null || !this.live) return;
    if (now < deadline + CLAIM_AFTER_MS || this.claimed === version) return;
    this.claimed = version;
    this.command("claim");
  }
}

new Table(find(document, "main.table"));
