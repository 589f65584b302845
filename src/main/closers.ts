type Close = () => Promise<void> | void;

/** What has been opened, to be closed in the opposite order. */
export class Closers {
  readonly #closes: Close[] = [];

  add(close: Close): void {
    this.#closes.push(close);
  }

  /** Closes everything, whatever fails on the way; rejects with the first failure. */
  async closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closes.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
