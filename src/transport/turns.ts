/** Something that is used by several at a time, and may be replaced while it is. */
export class Turns<T> {
  readonly value: T;
  #uses = 0;
  readonly #ended = Promise.withResolvers<void>();
  #isOver = false;

  constructor(value: T) {
    this.value = value;
  }

  /** Begins a use of the value; the function given back ends it, and may be called again. */
  begin(): () => void {
    this.#uses += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#uses -= 1;
      if (this.#isOver && this.#uses === 0) this.#ended.resolve();
    };
  }

  /** No use begins any more; resolves when the last one has ended. */
  end(): Promise<void> {
    this.#isOver = true;
    if (this.#uses === 0) this.#ended.resolve();
    return this.#ended.promise;
  }
}
