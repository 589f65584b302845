import type { ChildProcess } from 'node:child_process';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const guarded = new Set<ChildProcess>();

function killGuarded(): void {
  for (const child of guarded) child.kill('SIGKILL');
}

/**
 * An unhandled signal ends the process without an `exit` event, so the children are ended first and the
 * signal is raised again. Programs with their own handlers stop the children themselves.
 */
function passSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killGuarded();
  process.off(signal, passSignal);
  process.kill(process.pid, signal);
}

function watchProcess(): void {
  process.on('exit', killGuarded);
  for (const signal of signals) process.on(signal, passSignal);
}

function unwatchProcess(): void {
  process.off('exit', killGuarded);
  for (const signal of signals) process.off(signal, passSignal);
}

/** Ends the child when this process ends, except by SIGKILL. */
export function guardChild(child: ChildProcess): void {
  if (guarded.size === 0) watchProcess();
  guarded.add(child);
  child.once('exit', () => {
    guarded.delete(child);
    if (guarded.size === 0) unwatchProcess();
  });
}
