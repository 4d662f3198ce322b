/* Shapes of the lobby's socket and quote. Types only. */

export interface OfferRow {
  id: string;
  name: string;
  rating: string;
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

export type Row = OfferRow | RunningRow;

export type LobbyFrame =
  | { kind: "list"; offers: OfferRow[]; running: RunningRow[]; tables: string }
  | { kind: "mine"; offers: string[] }
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

export interface SocketListener {
  frame(frame: LobbyFrame): void;
  /** true when the connection stands, false when it was lost. */
  standing(up: boolean): void;
}
