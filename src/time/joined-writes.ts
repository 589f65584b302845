import type { Writable } from 'node:stream';

/** Tasks in the order they were added; at most a few for each open connection. */
let tasks: (() => void)[] = [];

/**
 * Runs a task at the end of this turn of the event loop, after the input that has arrived is handled.
 * Writes that wake the other end cost less when all writes of a turn follow one another.
 */
export function atEndOfTurn(task: () => void): void {
  if (tasks.push(task) === 1) setImmediate(runTasks);
}

function runTasks(): void {
  const due = tasks;
  tasks = [];
  for (const task of due) task();
}

/**
 * Holds back what is written to a stream until the end of this turn of the event loop, and then writes
 * it all together: a system call costs more than handling a small message. The bytes held back count in
 * `writableLength`, which the caller bounds. Calls `onWritten` afterwards, once per turn.
 */
export function joinWrites(stream: Writable, onWritten?: () => void): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  atEndOfTurn(() => {
    writeNow(stream);
    onWritten?.();
  });
}

/** Writes what is held back. */
export function writeNow(stream: Writable): void {
  if (stream.writableCorked > 0) stream.uncork();
}
