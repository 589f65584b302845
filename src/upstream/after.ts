/** Calls `task` once after `delay_ms`, unless the function given back is called before. */
export type After = (delay_ms: number, task: () => void) => () => void;

/** By the system's timers; they keep no process alive. */
export const after: After = (delay_ms, task) => {
  const timer = setTimeout(task, delay_ms).unref();
  return () => clearTimeout(timer);
};
