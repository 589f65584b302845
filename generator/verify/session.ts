import { setTimeout as pause } from 'node:timers/promises';
import { valueAt } from '../../common/json/pointer.ts';
import { isObject, type JsonObject } from '../../common/json/value.ts';
import { codeOf } from './error-catalog.ts';
import type { CheckId } from './checks.ts';
import { messageChecks, type MessageSubject } from './message-checks.ts';
import { responseChecks } from './response-checks.ts';
import type { Contract } from './contract.ts';
import { Coverage } from './coverage.ts';
import {
  pairResponses,
  parseText,
  type Answer,
  type Probe,
  type Target,
  type TransportName,
} from './message.ts';
import { FinalResults } from './final-results.ts';
import { Seeds } from './seeds.ts';
import type { Channel, OutgoingMessage } from './transport.ts';

/** A place where the server does not conform to the document. */
export interface Failure {
  readonly check: CheckId;
  readonly message: string;
  readonly phase: string;
  readonly probe: Probe;
  readonly answer: Answer;
}

/** An answer, and the result or error of a single call. */
export interface Seen {
  readonly answer: Answer;
  readonly failures: readonly Failure[];
  /** The response object of a single call; undefined if there is none. */
  readonly response: JsonObject | undefined;
}

export interface SessionOptions {
  readonly contract: Contract;
  readonly channels: readonly Channel[];
  readonly targets: Readonly<Partial<Record<TransportName, Target>>>;
  readonly maxCalls: number;
  /** Minimum time between the starts of two calls. */
  readonly interval_ms: number;
  readonly maxLatency_ms: number;
  readonly failFast: boolean;
  /** Ids of checks that are not applied. */
  readonly skippedChecks?: ReadonlySet<string>;
  /** Numbers from 0 to 1, the same for the same seed. */
  readonly random: () => number;
  /** Checks whether a failure is known, so that the run goes on. */
  readonly isExpected?: (failure: Failure) => boolean;
  readonly onFailure?: (failure: Failure) => void;
}

/** Thrown when no further call may be sent. */
export class RunEnded extends Error {
  override readonly name = 'RunEnded';
}

/** Unanswered messages in a row after which a transport is no longer used. */
const MAX_UNANSWERED = 5;

/** Maximum number of failures that are kept. */
const MAX_FAILURES = 10_000;

/** Characters of an answer that are kept for the report. */
export const MAX_ANSWER = 2_000;

/** Characters of a message: the server chooses the names of members and the reasons of errors. */
const MAX_MESSAGE = 2_000;

/** Messages of an answer that are kept for the report. */
const MAX_TEXTS = 10;

/** Sends probes within the budgets, checks the responses, and records what they show. */
export class Session {
  readonly contract: Contract;
  readonly coverage: Coverage;
  readonly seeds: Seeds;
  readonly failures: Failure[] = [];
  readonly random: () => number;
  phase = '';
  calls = 0;
  readonly #options: SessionOptions;
  readonly #unanswered = new Map<TransportName, number>();
  readonly #finalResults: FinalResults;
  #ids = 0;
  #nextStart_ms = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.contract = options.contract;
    this.random = options.random;
    this.coverage = new Coverage(options.contract);
    this.seeds = new Seeds(options.contract);
    this.#finalResults = new FinalResults(options.contract, (probe, transport) =>
      this.#send(probe, transport),
    );
  }

  get transports(): readonly TransportName[] {
    return this.#options.channels
      .map(({ name }) => name)
      .filter((name) => (this.#unanswered.get(name) ?? 0) < MAX_UNANSWERED);
  }

  get targets(): SessionOptions['targets'] {
    return this.#options.targets;
  }

  /** Ids of checks that are not applied. */
  get skippedChecks(): ReadonlySet<string> {
    return this.#options.skippedChecks ?? new Set();
  }

  get callsLeft(): number {
    return this.#options.maxCalls - this.calls;
  }

  /** Returns the JSON text of an id that no other call of the run has. */
  nextId(): string {
    this.#ids += 1;
    return String(this.#ids);
  }

  /** Sends a probe over each transport that is in use. */
  async checkOnAll(probe: Probe): Promise<readonly Seen[]> {
    const seen: Seen[] = [];
    for (const transport of this.transports) {
      if (probe.only === undefined || probe.only === transport) {
        seen.push(await this.check(probe, transport));
      }
    }
    this.#compare(probe, seen);
    return seen;
  }

  /** Sends a probe, checks the answer and records failures. Throws RunEnded. */
  async check(probe: Probe, transport: TransportName): Promise<Seen> {
    const seen = await this.ask(probe, transport);
    for (const failure of seen.failures) this.report(failure);
    return seen;
  }

  /** Does the same as `check`, but does not record failures. */
  async ask(probe: Probe, transport: TransportName): Promise<Seen> {
    const answer = await this.#send(probe, transport);
    const found = this.#examine(probe, answer);
    const failures = found.length > 0 ? found : await this.#compareFinal(probe, answer);
    const [text] = answer.texts;
    const value = probe.expects.isBatch || text === undefined ? undefined : parseText(text);
    this.coverage.addProbe(probe);
    this.#learn(probe, value === undefined ? answer : { ...answer, texts: [text!] }, failures);
    return { answer, failures, response: isObject(value) ? value : undefined };
  }

  /** Returns the credits that the account has used; null if the server does not say. */
  async readUsage(): Promise<number | null> {
    const { usage } = this.contract;
    const { url, headers = {} } = this.targets.http ?? { url: '' };
    if (usage === null || url === '') return null;
    const target = { url: `${url.replace(/\/$/, '')}${usage.path}`, headers };
    const message = { body: null, isSilent: false, isIsolated: false, target };
    const [text = ''] = (await this.#exchange(message, 'http', 1)).texts;
    const used = valueAt(parseText(text) ?? null, usage.pointer);
    return typeof used === 'number' ? used : null;
  }

  /** Records a failure, by default of the current phase. Throws RunEnded. */
  report(found: Omit<Failure, 'phase'>): void {
    const failure = { phase: this.phase, ...found };
    if (this.skippedChecks.has(failure.check)) return;
    if (this.failures.length < MAX_FAILURES) this.failures.push(withoutRest(failure));
    this.#options.onFailure?.(failure);
    const { failFast, isExpected } = this.#options;
    if (failFast && !isExpected?.(failure))
      throw new RunEnded('stopped at the first failure (--fail-fast)');
  }

  /** Reports calls that get a result over one transport and an error over the other. */
  #compare(probe: Probe, seen: readonly Seen[]): void {
    const [first, second] = seen.map(({ response, failures }) =>
      response === undefined || failures.length > 0
        ? undefined
        : String(codeOf(response) ?? 'a result'),
    );
    if (first === undefined || second === undefined || first === second) return;
    const { answer } = seen[1]!;
    const message = `expected the same response over both transports, got ${first} and ${second}`;
    this.report({ check: 'transports-agree', message, probe, answer });
  }

  /** Finds results that differ from earlier ones although they are final. */
  async #compareFinal(probe: Probe, answer: Answer): Promise<readonly Failure[]> {
    const check = 'immutable-result';
    if (this.skippedChecks.has(check)) return [];
    const messages = await this.#finalResults.changesIn(probe, answer);
    return messages.map((message) => ({ check, message, phase: this.phase, probe, answer }));
  }

  #send(probe: Probe, transport: TransportName): Promise<Answer> {
    const { body, expects, isIsolated = false, target } = probe;
    const isSilent = expects.responses.length === 0;
    const count = Math.max(1, expects.responses.length);
    return this.#exchange({ body, isSilent, isIsolated, target }, transport, count);
  }

  async #exchange(
    message: OutgoingMessage,
    transport: TransportName,
    count: number,
  ): Promise<Answer> {
    const { channels, maxCalls, interval_ms } = this.#options;
    if (this.calls + count > maxCalls) {
      throw new RunEnded(`stopped after ${this.calls} calls (--max-calls ${maxCalls})`);
    }
    if (this.transports.length === 0) throw new RunEnded('stopped: the server does not respond');
    this.calls += count;
    const wait_ms = this.#nextStart_ms - performance.now();
    if (wait_ms > 0) await pause(wait_ms);
    this.#nextStart_ms = Math.max(this.#nextStart_ms, performance.now()) + interval_ms * count;
    const answer = await channels.find(({ name }) => name === transport)!.send(message);
    const before = this.#unanswered.get(transport) ?? 0;
    this.#unanswered.set(transport, answer.failure === null ? 0 : before + 1);
    return answer;
  }

  #examine(probe: Probe, answer: Answer): readonly Failure[] {
    const { contract, maxLatency_ms } = this.#options;
    const fail = (check: CheckId, message: string): Failure => ({
      check,
      message: message.slice(0, MAX_MESSAGE),
      phase: this.phase,
      probe,
      answer,
    });
    const subject: MessageSubject = { contract, probe, answer, maxLatency_ms };
    const { skippedChecks } = this;
    for (const { id, find } of messageChecks) {
      if (skippedChecks.has(id)) continue;
      const message = find(subject);
      if (message !== undefined) return [fail(id, message)];
    }
    if (answer.texts.length === 0) return [];
    return pairResponses(probe, answer).flatMap(({ expected, response }) => {
      const { isBatch } = probe.expects;
      const { status, headers } = answer;
      for (const { id, find } of responseChecks) {
        if (skippedChecks.has(id)) continue;
        const message = find({ contract, expected, response, status, headers, isBatch });
        if (message !== undefined) return [fail(id, message)];
      }
      return [];
    });
  }

  #learn(probe: Probe, answer: Answer, failures: readonly Failure[]): void {
    for (const { expected, response } of pairResponses(probe, answer)) {
      const { outcome } = expected;
      const code = codeOf(response);
      if (code !== undefined) this.coverage.addError(response);
      if (failures.length > 0 || outcome.kind !== 'valid' || !('result' in response)) continue;
      this.coverage.addResult(outcome.method, response['result']!);
      this.seeds.learn(outcome.method, response['result']!);
    }
  }
}

/** Drops what the report does not show of the answer, which may be very large. */
function withoutRest(failure: Failure): Failure {
  const { message, answer } = failure;
  const texts = answer.texts.slice(0, MAX_TEXTS).map((text) => copyOf(text.slice(0, MAX_ANSWER)));
  return { ...failure, message: copyOf(message), answer: { ...answer, texts } };
}

/** Copies a text: the engine keeps the whole text that a part was cut from. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
