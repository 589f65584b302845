import { setImmediate as settled } from 'node:timers/promises';

interface Timer {
  task: (() => void) | undefined;
}

/**
 * Virtual time in milliseconds. What is due in the same millisecond runs in the order in which it was
 * scheduled; promises are settled before the next millisecond.
 */
export class Timeline {
  now_ms = 0;
  readonly #tasks = new Map<number, (() => void)[]>();

  /** Runs a task after a delay of at least one millisecond. */
  after(delay_ms: number, task: () => void): void {
    const at_ms = this.now_ms + Math.max(1, Math.ceil(delay_ms));
    const tasks = this.#tasks.get(at_ms);
    if (tasks === undefined) this.#tasks.set(at_ms, [task]);
    else tasks.push(task);
  }

  /**
   * Lets time pass; `everyMs`, if given, runs first in each millisecond. Timers that are started in the
   * meantime run in virtual time.
   */
  async pass(duration_ms: number, everyMs?: () => void): Promise<void> {
    const { setTimeout, clearTimeout } = globalThis;
    Object.assign(globalThis, {
      setTimeout: (task: () => void, delay_ms = 0): Timer => {
        const timer: Timer = { task };
        this.after(delay_ms, () => timer.task?.());
        return timer;
      },
      clearTimeout: (timer: Timer | undefined) => {
        if (timer !== undefined) timer.task = undefined;
      },
    });
    try {
      for (const end_ms = this.now_ms + duration_ms; this.now_ms < end_ms;) {
        this.now_ms += 1;
        const tasks = this.#tasks.get(this.now_ms);
        if (everyMs === undefined && tasks === undefined) continue;
        everyMs?.();
        this.#tasks.delete(this.now_ms);
        for (const task of tasks ?? []) task();
        await settled();
      }
    } finally {
      Object.assign(globalThis, { setTimeout, clearTimeout });
    }
  }
}
