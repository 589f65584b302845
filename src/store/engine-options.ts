/** How a store is used; every wait has an end. */
export interface EngineOptions {
  /** How long a statement, or a wait for a lock, may take. */
  readonly statement_ms: number;
  /** How long connecting may take, and waiting for a free connection. */
  readonly connect_ms: number;
  /** Most connections at one time, where there is more than one. */
  readonly connections: number;
  /** Operations waiting at one time; more are refused. */
  readonly waiting: number;
  /** Takes the place of the store's own clock. */
  readonly now_ms: (() => number) | undefined;
}

export const defaultEngineOptions: EngineOptions = Object.freeze({
  statement_ms: 5_000,
  connect_ms: 2_000,
  connections: 8,
  waiting: 1_000,
  now_ms: undefined,
});
