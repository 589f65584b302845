import { isObject, type Json } from '../../common/json/value.ts';
import type { Check } from './check.ts';
import type { Contract } from './contract.ts';
import { shorten } from './difference.ts';
import { costOfAnswer } from './error-catalog.ts';
import {
  canonicalText,
  idOf,
  isTooDeep,
  MAX_LEVELS,
  parseText,
  type Answer,
  type Expected,
  type Probe,
} from './message.ts';

/** What the server sent in response to a message. */
export interface MessageSubject {
  readonly contract: Contract;
  readonly probe: Probe;
  readonly answer: Answer;
  readonly maxLatency_ms: number;
}

/** Checks of the whole response to a message, the most basic first; only the first failure counts. */
export const messageChecks = [
  {
    id: 'response-received',
    title: 'Every request gets a response in time',
    help: 'The server closed the connection, or did not respond within `--timeout`.',
    find: ({ probe: { expects }, answer: { failure, transport } }) => {
      // A server may reject the connection if the key is wrong.
      const [expected] = expects.responses;
      const mayRefuse = transport === 'websocket' && expected?.outcome.kind === 'unauthorized';
      return mayRefuse ? undefined : (failure ?? undefined);
    },
  },
  {
    id: 'notification-silent',
    title: 'Notifications get no response',
    help: 'JSON-RPC 2.0 (4.1): the server must not reply to a notification, not even in a batch.',
    find: ({ probe: { expects }, answer: { texts } }) =>
      isSilent(expects) && texts.length > 0
        ? `expected no response to a notification, got ${shorten(texts[0]!)}`
        : undefined,
  },
  {
    id: 'response-json',
    title: 'Responses are JSON',
    help: 'The server must respond with JSON-RPC, even when it fails; not with HTML or plain text.',
    find: ({ answer: { texts, status } }) => {
      const text = texts.find((each) => parseText(each) === undefined);
      const where = status === null ? '' : ` with status ${status}`;
      if (text === undefined) return undefined;
      const wanted = isTooDeep(text) ? `JSON of at most ${MAX_LEVELS} levels` : 'JSON';
      return `expected ${wanted}, got${where} ${shorten(text)}`;
    },
  },
  {
    id: 'one-response',
    title: 'Every message gets one response',
    help: 'A request gets one response object, a batch one array of them (JSON-RPC 2.0, 5 and 6).',
    find: ({ probe: { expects }, answer: { texts, status, failure } }) => {
      if (isSilent(expects) || texts.length === 1 || failure !== null) return undefined;
      const where = status === null ? '' : ` with status ${status}`;
      return `expected one response, got ${texts.length}${where}`;
    },
  },
  {
    id: 'batch-size',
    title: 'A batch gets a response to each of its calls',
    help: 'JSON-RPC 2.0 (6): an array with a response to each call, and none for notifications; an empty or invalid batch gets one response object.',
    find: ({ probe: { expects }, answer: { texts } }) => {
      if (isSilent(expects) || texts.length === 0) return undefined;
      const value = parseText(texts[0]!);
      if (expects.isBatch !== Array.isArray(value)) {
        const [wanted, got] = expects.isBatch
          ? ['an array', 'an object']
          : ['an object', 'an array'];
        return isObject(value) || Array.isArray(value)
          ? `expected ${wanted}, got ${got}`
          : `expected ${wanted}, got ${shorten(texts[0]!)}`;
      }
      const count = Array.isArray(value) ? value.length : 1;
      const wanted = expects.responses.length;
      return count === wanted ? undefined : `expected ${wanted} responses, got ${count}`;
    },
  },
  {
    id: 'batch-order',
    title: 'Batch responses are in the order of the calls',
    help: 'The document promises this order with `x-behavior.batchOrder: request`; JSON-RPC 2.0 does not.',
    find: ({ contract, probe: { expects }, answer: { texts } }) => {
      if (!contract.hasBatchOrder || !expects.isBatch) return undefined;
      const wanted = expects.responses.map(({ id }) => canonicalText(id));
      const got = (parseText(texts[0]!) as readonly Json[]).map((each) =>
        isObject(each) ? (idOf(each) ?? '') : '',
      );
      const isReordered = wanted.toSorted().join() === got.toSorted().join();
      if (!isReordered || wanted.join() === got.join()) return undefined;
      return `expected the ids ${wanted.join(', ')} in this order, got ${got.join(', ')}`;
    },
  },
  {
    id: 'http-status',
    title: 'The HTTP status is as documented',
    help: 'A batch and a result have status 200; an error has the status of its row in `x-errors`, if there is one; a notification has a 2xx status.',
    find: ({ probe: { expects }, answer: { status } }) => {
      if (status === null || expects.hasAnyStatus) return undefined;
      if (!expects.isBatch && !isSilent(expects)) return undefined;
      const isSuccess = status >= 200 && status <= 299;
      if (isSilent(expects)) {
        return isSuccess ? undefined : `expected a status from 200 to 299, got ${status}`;
      }
      return status === 200 ? undefined : `expected status 200 for a batch, got ${status}`;
    },
  },
  {
    id: 'cost-charged',
    title: 'Calls cost what the document states',
    help: 'The header `x-behavior.costHeader` differs from `x-credits` of the method, or from 0 for a call that is not charged; for a batch, from their sum.',
    find: ({ contract, probe, answer }) => {
      const { costHeader } = contract;
      if (costHeader === null || answer.status === null || !probe.expects.isBatch) return undefined;
      const wanted = costOfAnswer(contract, probe, answer);
      const got = answer.headers[costHeader];
      if (wanted === undefined || (got ?? '0') === String(wanted)) return undefined;
      return `expected ${costHeader}: ${wanted} for the batch, got ${got ?? 'nothing'}`;
    },
  },
  {
    id: 'latency',
    title: 'Responses arrive within --max-latency',
    help: 'A call took longer than `--max-latency`.',
    find: ({ answer: { took_ms }, maxLatency_ms }) =>
      took_ms <= maxLatency_ms
        ? undefined
        : `expected a response within ${maxLatency_ms} ms, got one after ${Math.round(took_ms)} ms`,
  },
] as const satisfies readonly Check<MessageSubject>[];

function isSilent({ responses }: Expected): boolean {
  return responses.length === 0;
}
