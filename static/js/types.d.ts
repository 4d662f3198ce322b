/* Shapes that the browser modules share: the board's state and the wire protocol (docs/protocol.md). Types only. */

export type Side = "light" | "dark";

/** A point by its mover's own number (1–24), or the bar, or off. */
export type Place = number | "bar" | "off";

export type Route = "opposed" | "parallel";

// --- the board -------------------------------------------------------------------------------

/** What the player may do with one checker; `dice` has several entries when the checker carries on. */
export interface OpenStep {
  from: Place;
  to: Place;
  dice: number[];
  hit: boolean;
  /** The single steps it consists of, in order. */
  parts: GraphStep[];
}

/** One edge of the turn graph: `next` is the node it leads to. */
export interface GraphStep {
  from: Place;
  to: Place;
  die: number;
  hit: boolean;
  next: number;
}

export interface DieShown {
  value: number;
  used: boolean;
  /** Whose half the die lies in, when not the roller's: the opening roll. */
  side?: Side;
}

export interface PlayedStep {
  from: Place;
  to: Place;
  hit?: boolean;
}

export interface Orientation {
  viewer: Side;
  mover: Side;
  /** opposed: the sides run towards each other; parallel: the same way round. */
  route: Route;
  /** the side with the light checkers; light where nothing is said */
  white?: Side;
}

export interface CubeShown {
  value: number;
  owner: Side | null;
  offered?: boolean;
}

export interface BoardState {
  /** 24 counts; index 0 is light's point 1 (opposed) or light's head (parallel); above 0 light, below 0 dark. */
  points: number[];
  bar: Record<Side, number>;
  off: Record<Side, number>;
  dice: { side: Side; values: DieShown[] } | null;
  cube: CubeShown | null;
  orientation: Orientation;
  /** What the player may do now; empty for the opponent and for watchers. */
  openSteps: OpenStep[];
  lastTurn: { side: Side; steps: PlayedStep[] } | null;
}

/** One place as a screen reader is told about it. */
export interface PlaceFacts {
  place: Place;
  /** The number printed on the frame, from the mover's side. */
  shown: Place;
  whose: "own" | "their" | "none";
  count: number;
  /** On the bar or borne off: both sides' counts. */
  own: number;
  their: number;
  source: boolean;
  selected: boolean;
  step: OpenStep | null;
}

export interface BoardWords {
  board(state: BoardState): string;
  place(facts: PlaceFacts): string;
}

export interface Board {
  /** Draws a state, gliding from what was shown before. */
  show(state: BoardState): void;
  select(place: Place | null): void;
  readonly selected: Place | null;
}

// --- the wire: from the server ---------------------------------------------------------------

export type Phase =
  | "ready" | "seeds" | "to_roll" | "to_move" | "cube_answer" | "beaver_answer" | "resign_answer"
  | "adjudicating" | "over" | "cancelled" | "void";

export type Command =
  | "accept" | "reveal" | "leave" | "roll" | "double" | "take" | "drop" | "beaver" | "play"
  | "resign" | "answer" | "claim" | "switches" | "chat" | "rematch";

export type WireEdge = [from: number, to: number, die: number, hit: boolean | number, next: number];

export interface Turns {
  nodes: WireEdge[][];
}

export interface WireCube {
  value: number;
  owner: Side | null;
  offered: boolean;
}

export interface Clock {
  running: Side | null;
  move_ms: number;
  reserve_ms: Record<Side, number>;
  /** What each side has used of its move timer in this turn. */
  used_ms?: Record<Side, number>;
  since: number;
  deadline: number | null;
}

export interface Offer {
  kind: "double" | "beaver" | "resign";
  by: Side;
  value?: number;
  level?: number;
  take_at?: number | null;
  drop_costs?: number | null;
}

export interface Switches {
  auto_roll: boolean;
  auto_forced: boolean;
  auto_bear_off: boolean;
}

export interface MoneyResult {
  win: number;
  fee: number;
  gain: number;
  loss: number;
  currency: string;
}

export interface Result {
  winner: Side;
  reason: "borne_off" | "drop" | "resign" | "time" | "left" | "adjudicated";
  win: number;
  cube: number;
  points: number;
  money: MoneyResult | null;
  /** null where the match is not rated. */
  ratings?: RatingResult | null;
}

/** Who won for the ratings and why, and each side's change in hundredths of a point. */
export interface RatingResult {
  winner: Side;
  reason: Result["reason"] | "abandoned";
  light: number;
  dark: number;
}

export interface View {
  phase: Phase;
  on_roll: Side | null;
  to_act: Side | null;
  /** null before the first game has started. */
  board: Record<Side, number[]> | null;
  dice: [number, number] | null;
  cube: WireCube;
  clock: Clock;
  score: Record<Side, number>;
  game: number;
  crawford: boolean;
  /** who moved first in this game: white in long nardy */
  first: Side | null;
  accepted: Record<Side, boolean>;
  last_turn: { side: Side; steps: [from: number, to: number, hit: boolean | number][] } | null;
  may: string[];
  /** Why you cannot double before this roll, as the code of the refusal; null where you can, or it is not your roll. */
  no_double?: string | null;
  resign_levels: number[];
  offer: Offer | null;
  turns: Turns | null;
  switches: Switches | null;
  result: Result | null;
  /** What a win is worth at the present cube; where absent, `Match.fees` says it for a cube of 1. */
  worth?: FeeRow[];
}

export interface PlayerFacts {
  name: string;
  /** As it is shown, "1503" or "1400*"; null where nobody has one. */
  rating: string | null;
  country: string;
  /** How many matches this player has left for good. */
  unfinished?: number;
  /** What a win and a loss would change of the rating, in hundredths of a point; null where the match is not rated. */
  points?: { win: number; lose: number } | null;
}

export interface FeeRow {
  win_kind: number;
  win: number;
  fee: number;
  gain: number;
  /** What each player pays of it, "6.125%"; empty for a fixed fee or none. */
  rate?: string;
}

export interface Match {
  id: string;
  variant: string;
  kind: "single" | "series";
  length: number;
  currency: string;
  stake: number;
  limit: number | null;
  room: string;
  jacoby: boolean;
  beavers: boolean;
  crawford: boolean;
  blitz?: boolean;
  /** Nobody is named at this table. */
  anonymous?: boolean;
  clock: { move_ms: number; reserve_ms: number };
  players: Record<Side, PlayerFacts>;
  server_commit: string;
  fees: FeeRow[];
}

/** Who wants to play the match again; `next`: the match that came of it. */
export interface Rematch {
  light: boolean;
  dark: boolean;
  next: string | null;
}

export type GameEnded = Extract<MatchEvent, { kind: "game_ended" }>;

interface Numbered {
  n: number;
  at: number;
}

export type MatchEvent = Numbered & (
  | { kind: "match_opened" }
  | { kind: "player_accepted"; side: Side; commit: string }
  | { kind: "seed_revealed"; side: Side }
  | { kind: "game_started"; game: number }
  | { kind: "opening_rolled"; light: number; dark: number; roll_number: number }
  | { kind: "colours_drawn"; light: number; dark: number; roll_number: number }
  | { kind: "rolled"; side: Side; high: number; low: number; roll_number: number }
  | { kind: "turn_played"; side: Side; steps: [from: number, to: number, die: number, hit: boolean | number][]; auto: boolean; text: string }
  | { kind: "double_offered" | "double_taken" | "beavered"; side: Side; value: number }
  | { kind: "double_dropped" | "beaver_accepted" | "resign_refused" | "resign_accepted" | "switches_set" | "time_expired"; side: Side }
  | { kind: "resign_offered"; side: Side; level: number }
  | { kind: "game_ended"; winner: Side; win: number; cube: number; points: number; reason: Result["reason"] }
  | { kind: "match_ended"; winner: Side; points: number; reason: Result["reason"] }
  | { kind: "match_settled"; winner: Side; win: number; fee: number; gain: number; loss: number; currency: string }
  | { kind: "match_voided"; reason: string }
  | { kind: "match_cancelled"; reason: string }
  | { kind: "credited"; ms: number; reason: string }
  | { kind: "player_lost"; side: Side; since_ms: number }
  | { kind: "player_returned"; side: Side }
  | { kind: "abandoned"; light: boolean; dark: boolean }
  | { kind: "sent_to_moderators" }
  | { kind: "adjudicated"; side: Side; estimate: number; low: number; high: number; applied: number; engine: string }
);

export interface Seat {
  here: boolean;
  since: number;
  /** How much longer this player may be away in this match, counted at `since`; null where the server does not know. */
  left_ms?: number | null;
}

export interface Presence {
  /** Absent until the server has looked, which it does within seconds. */
  light?: Seat | undefined;
  dark?: Seat | undefined;
  watchers: number;
}

export interface ChatLine {
  n: number;
  at: number;
  from: Side | null;
  name: string;
  text: string;
}

export type Frame =
  | { kind: "snapshot"; version: number; you: Side | null; match: Match; view: View; events: MatchEvent[]; games?: GameEnded[]; chat: ChatLine[]; presence: Presence; now: number }
  | { kind: "events"; version: number; events: MatchEvent[]; view: View; now: number }
  | { kind: "ack"; ref: string; version: number }
  | { kind: "refused"; ref: string | null; code: string; text: string; version: number; view?: View }
  | ({ kind: "presence" } & Presence)
  | ({ kind: "chat" } & ChatLine)
  | { kind: "balance"; amount: number; currency: string; rating?: string | null }
  | ({ kind: "rematch" } & Rematch)
  | { kind: "beat"; now: number; ask?: string }
  | { kind: "bye"; code: string | number; text: string };

// --- the page -----------------------------------------------------------------------------------

declare global {
  /** Django's JavaScript catalog; board/catalog.js gives plain English where a page has none. */
  function gettext(text: string): string;
  function ngettext(singular: string, plural: string, count: number): string;
  function pgettext(context: string, text: string): string;
  function interpolate(text: string, values: Record<string, string | number>, named: true): string;
}
