/* Shapes of the lobby's socket and quote. Types only. */

export interface OfferRow {
  id: string;
  name: string;
  /** Empty where nobody is named. */
  profile: string;
  rating: string;
  /** "2 unfinished", empty for none. */
  unfinished: string;
  what: string;
  how: string;
  stake: string;
  per: string;
  win: string;
  fee: string;
  lose: string;
  variant: string;
  kind: string;
  stake_minor: number;
  /** The rating as a number, 0 where nobody has one. */
  points: number;
}

/** What has changed in a list: `rows` are new, to be put on top in their order, or different. */
export interface Changes<R> {
  gone: string[];
  rows: R[];
  order?: string[];
}

/** A table that a friend has opened for this reader. */
export interface Invitation {
  id: string;
  name: string;
  what: string;
  stake: string;
  url: string;
}

export interface RunningRow {
  id: string;
  url: string;
  light: string;
  dark: string;
  what: string;
  how: string;
  stake: string;
  variant: string;
  kind: string;
  stake_minor: number;
}

/** What an open table would bring this reader: fees and rating points depend on both players. */
export interface Prospect {
  win: string;
  fee: string;
  points: string;
}

export type Row = OfferRow | RunningRow;

export type LobbyFrame =
  | { kind: "list"; offers: OfferRow[]; running: RunningRow[]; tables: string }
  | { kind: "changes"; offers: Changes<OfferRow>; running: Changes<RunningRow>; tables: string }
  | { kind: "mine"; offers: string[]; apart: string[] }
  | { kind: "invitations"; rows: Invitation[] }
  | { kind: "prospects"; offers: Record<string, Prospect> }
  | { kind: "heads"; rooms: Record<string, number>; players: string }
  | { kind: "seated"; match: string; url: string }
  | { kind: "refused"; code: string; text: string }
  | { kind: "bye"; code: string; text: string }
  | { kind: "beat" };

export interface Quote {
  errors: Record<string, string>;
  rows: { name: string; fee: string; gain: string }[] | null;
  most: string;
  note: string;
}

export interface Line {
  /** Asks the server what these tables would bring this reader. */
  ask(offers: string[]): void;
}

export interface SocketListener {
  frame(frame: LobbyFrame): void;
  /** true when the connection stands, false when it was lost. */
  standing(up: boolean): void;
}
