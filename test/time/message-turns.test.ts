import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MessageTurns } from '../../src/time/message-turns.ts';

/** Messages that take a millisecond each, unless stated otherwise. */
function start() {
  let now_ms = 0;
  const handled: string[] = [];
  const turns = new MessageTurns(() => now_ms);
  const work = (name: string, duration_ms = 1): undefined => {
    handled.push(name);
    now_ms += duration_ms;
  };
  return {
    handled,
    turns,
    work,
    receive(account: string, count = 1) {
      for (let index = 0; index < count; index += 1) {
        turns.run(account, () => work(account));
      }
    },
  };
}

describe('the messages of callers', () => {
  it('are handled at once when the turn of the event loop has time', () => {
    const { handled, receive } = start();
    receive('a', 3);
    expect(handled).toEqual(['a', 'a', 'a']);
  });

  it('leave time for other work when there are many', async () => {
    const { handled, receive } = start();
    receive('a', 12);
    expect(handled).toHaveLength(5);
    await nextTurn();
    expect(handled).toHaveLength(10);
    await nextTurn();
    expect(handled).toHaveLength(12);
    receive('a', 2);
    expect(handled).toHaveLength(14);
  });

  it('wait while connections are accepted, but not for long', async () => {
    const { handled, turns, work, receive } = start();
    receive('a', 7);
    expect(handled).toHaveLength(5);
    turns.accepted();
    await nextTurn();
    turns.accepted();
    await nextTurn();
    expect(handled).toHaveLength(5);
    await nextTurn();
    expect(handled).toHaveLength(7);
    receive('a', 7);
    expect(handled).toHaveLength(12);
    for (let turn = 0; turn < 7; turn += 1) {
      turns.accepted();
      await nextTurn();
      work('connection', 10);
    }
    expect(handled.filter((name) => name === 'a')).toHaveLength(14);
  });

  it('use the time of a turn also with what they cause later', async () => {
    const { turns } = start();
    const isWaiting = Array.from({ length: 12 }, () => turns.wait('a', 1)?.then(() => true));
    const allowed: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const states = await Promise.all(
        isWaiting.map((each) => Promise.race([each ?? true, false])),
      );
      allowed.push(states.filter(Boolean).length);
      await nextTurn();
    }
    expect(allowed).toEqual([5, 10, 12]);
  });

  it('may be handled in parts, each before the next message of their sender', async () => {
    const { handled, turns, work } = start();
    let left = 7;
    turns.run('a', () => {
      work('part');
      left -= 1;
      return left > 0 ? 'unfinished' : undefined;
    });
    turns.run('a', () => work('next'));
    turns.run('b', () => work('other'));
    expect(handled).toEqual(Array(5).fill('part'));
    await nextTurn();
    expect(handled.slice(5)).toEqual(['part', 'other', 'part', 'next']);
  });

  it('use the time of a turn also with what they do in resolved promises', async () => {
    const { handled, receive, turns, work } = start();
    receive('a', 5);
    const workLater = async (): Promise<void> => {
      for (let step = 0; step < 10; step += 1) await Promise.resolve();
      work('later');
    };
    for (let index = 0; index < 6; index += 1) turns.run('a', () => void workLater());
    await nextTurn();
    expect(handled.slice(5)).toEqual(Array(5).fill('later'));
    await nextTurn();
    expect(handled.slice(5)).toEqual(Array(6).fill('later'));
  });

  it('of an account wait for one message each of other accounts, not for all of them', async () => {
    const { handled, receive } = start();
    receive('flood', 1_000);
    receive('other', 2);
    await nextTurn();
    expect(handled.slice(5)).toEqual(['flood', 'other', 'flood', 'other', 'flood']);
  });

  it('are handled for any of the senders that wait for them, also one that joins later', async () => {
    const { handled, receive, turns, work } = start();
    receive('flood', 7);
    const both = new Set(['flood']);
    turns.run(both, () => work('for both', 7));
    both.add('other');
    receive('other');
    receive('third', 7);
    while (handled.length < 16) await nextTurn();
    // The other account has used the time of the message for both, so its own is handled last.
    const thirds = Array(6).fill('third');
    expect(handled.slice(5)).toEqual(['flood', 'for both', 'third', 'flood', ...thirds, 'other']);
  });

  it('share the time, also if each message of an account takes long', async () => {
    const { handled, receive, turns, work } = start();
    receive('first', 5);
    // Sends its next message when the previous one has been handled.
    const sendSlow = (): void =>
      turns.run('slow', () => {
        work('slow', 10);
        void Promise.resolve().then(sendSlow);
      });
    sendSlow();
    receive('other', 30);
    while (handled.length < 27) await nextTurn();
    const tenOthers = Array(10).fill('other');
    expect(handled.slice(5, 27)).toEqual(['slow', ...tenOthers, 'slow', ...tenOthers]);
  });
});
