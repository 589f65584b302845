import type { Json } from '../../../common/json/value.ts';
import { codes } from '../error-catalog.ts';
import type { VerifiedMethod } from '../contract.ts';
import { callText, messageProbe, type ExpectedResponse, type Probe } from '../message.ts';
import type { Phase } from '../phase.ts';
import type { Session } from '../session.ts';
import { baseParams } from '../params.ts';

/** A call that succeeds, to test ids, batches and notifications with. */
interface BaseCall {
  readonly method: VerifiedMethod;
  readonly params: Json;
}

/** Sends messages whose handling JSON-RPC 2.0 specifies, regardless of the document. */
export const protocol: Phase = {
  id: 'protocol',
  title: 'JSON-RPC 2.0: ids, versions, batches, notifications, invalid requests',
  async run(session) {
    const base = findBase(session);
    if (base === undefined) return;
    for (const probe of probesOf(session, base)) await session.checkOnAll(probe);
  },
};

/** Returns the call of the example with the shortest result, or one made from schemas. */
export function findBase({ contract, seeds }: Session): BaseCall | undefined {
  const shown = contract.methods.flatMap((method) =>
    method.examples
      .filter(({ params, result }) => result !== undefined && method.refuses(params) === undefined)
      .map(({ params, result }) => ({ method, params, size: result!.length })),
  );
  const [shortest] = shown.toSorted((a, b) => a.size - b.size);
  if (shortest !== undefined) return shortest;
  for (const method of contract.methods) {
    const params = baseParams(method, seeds);
    if (params !== undefined) return { method, params };
  }
  return undefined;
}

function* probesOf(session: Session, base: BaseCall): Generator<Probe> {
  yield* idProbes(base);
  yield* invalidRequests(base);
  yield* malformed(base);
  yield* unknownMethods(session, base);
  yield* notifications(session, base);
  yield* batches(session, base);
}

const valid = ({ method, params }: BaseCall, id: string): ExpectedResponse => ({
  id,
  outcome: { kind: 'valid', method, params },
});
const refused = (why: string, wanted: readonly number[], id = 'null'): ExpectedResponse => ({
  id,
  outcome: { kind: 'error', codes: wanted, why },
});

function single(title: string, body: string | Uint8Array, ...responses: ExpectedResponse[]): Probe {
  return { ...messageProbe(title, body, responses), isIsolated: true };
}

function batch(
  title: string,
  calls: readonly string[],
  responses: readonly ExpectedResponse[],
): Probe {
  const expects = { isBatch: responses.length > 0, responses };
  return { ...single(title, `[${calls.join(',')}]`), expects };
}

/** Ids that a request may have, as JSON text. */
const IDS = [
  '0',
  '-1',
  '9007199254740991',
  '9007199254740993',
  '1.5',
  '""',
  '"1"',
  '"null"',
  '"an id with spaces, \\"quotes\\" and \\u00e9\\ud83d\\ude00"',
  `"${'x'.repeat(200)}"`,
  'null',
];

function* idProbes(base: BaseCall): Generator<Probe> {
  const { method, params } = base;
  for (const id of IDS) {
    yield single(`id ${id.slice(0, 30)}`, callText(method.name, params, id), valid(base, id));
  }
  for (const id of ['true', '{}', '[1]']) {
    const why = 'an id must be a string, a number or null';
    yield single(
      `id ${id}`,
      callText(method.name, params, id),
      refused(why, [codes.invalidRequest]),
    );
  }
}

function* invalidRequests({ method, params }: BaseCall): Generator<Probe> {
  const call = callText(method.name, params, '1');
  const invalid = [codes.invalidRequest];
  const version = '"jsonrpc":"2.0"';
  for (const other of ['"jsonrpc":"1.0"', '"jsonrpc":2.0', '"jsonrpc":null', '"other":"2.0"']) {
    const why = 'jsonrpc must be "2.0"';
    yield single(
      `${other} instead of the version`,
      call.replace(version, other),
      refused(why, invalid, '1'),
    );
  }
  for (const member of ['"method":1', '"method":null', '"other":1']) {
    const body = `{"jsonrpc":"2.0","id":1,${member}}`;
    yield single(
      `${member} instead of the method`,
      body,
      refused('the method must be a string', invalid, '1'),
    );
  }
  for (const value of ['"text"', '1', 'true']) {
    const body = `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method.name)},"params":${value}}`;
    const why = 'params must be an array or an object';
    yield single(`params ${value}`, body, refused(why, [...invalid, codes.invalidParams], '1'));
  }
  for (const body of ['{}', '"text"', '42', 'null', 'true', '[]']) {
    const why = 'this is not a request';
    yield single(`the message ${body}`, body, refused(why, invalid));
  }
}

function* malformed({ method, params }: BaseCall): Generator<Probe> {
  const call = callText(method.name, params, '1');
  const bodies: readonly (readonly [string, string | Uint8Array])[] = [
    ['a truncated request', call.slice(0, -5)],
    ['a truncated batch', `[${call},`],
    ['a trailing comma', `${call.slice(0, -1)},}`],
    ['a comment', `${call} // comment`],
    ['single quotes', call.replaceAll('"', "'")],
    ['two values', `${call} ${call}`],
    ['plain text', 'hello'],
    ['the JavaScript number NaN', call.replace('"id":1', '"id":NaN')],
    [
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from('{"id":"'), Buffer.of(0xff), Buffer.from(`",${call.slice(1)}`)]),
    ],
  ];
  for (const [title, body] of bodies) {
    const probe = single(title, body, refused('this is not JSON', [codes.parseError]));
    // RFC 6455 (8.1): a WebSocket text message that is not UTF-8 ends the connection.
    yield typeof body === 'string' ? probe : { ...probe, only: 'http' };
  }
}

function* unknownMethods({ contract }: Session, { method, params }: BaseCall): Generator<Probe> {
  const known = new Set(contract.model.methods.map(({ name }) => name));
  const other = method.name.toUpperCase();
  const names = [
    '',
    'specgate_no_such_method',
    other,
    ` ${method.name}`,
    'constructor',
    '__proto__',
  ];
  for (const name of names.filter((each) => !known.has(each))) {
    const why = 'the method does not exist';
    yield single(
      `the unknown method ${JSON.stringify(name)}`,
      callText(name, params, '1'),
      refused(why, [codes.methodNotFound], '1'),
    );
  }
}

function* notifications(_: Session, { method, params }: BaseCall): Generator<Probe> {
  const texts = [
    ['a notification', callText(method.name, params, null)],
    ['a notification of an unknown method', callText('specgate_no_such_method', params, null)],
    ['a notification with invalid params', callText(method.name, [{}, {}, {}, {}, {}, {}], null)],
  ] as const;
  for (const [title, body] of texts) yield single(title, body);
  yield batch(
    'a batch of notifications',
    texts.map(([, body]) => body),
    [],
  );
}

const LONG_BATCH = 12;

function* batches({ contract }: Session, base: BaseCall): Generator<Probe> {
  const call = (id: string | null): string => callText(base.method.name, base.params, id);
  const unknown = (id: string): string => callText('specgate_no_such_method', [], id);
  const invalid = refused('this is not a request', [codes.invalidRequest]);
  const notFound = (id: string) => refused('the method does not exist', [codes.methodNotFound], id);
  yield batch('a batch of one call', [call('1')], [valid(base, '1')]);
  yield batch(
    'a batch with a notification',
    [call('1'), call(null), call('"2"')],
    [valid(base, '1'), valid(base, '"2"')],
  );
  yield batch(
    'a batch with errors',
    [call('1'), unknown('2'), '{"foo":"boo"}', call('3')],
    [valid(base, '1'), notFound('2'), invalid, valid(base, '3')],
  );
  yield batch('a batch of invalid requests', ['1', '2'], [invalid, invalid]);
  yield batch(
    'a batch with a duplicate id',
    [call('1'), call('1')],
    [valid(base, '1'), valid(base, '1')],
  );
  const ids = Array.from({ length: LONG_BATCH }, (_, index) => String((index * 7) % LONG_BATCH));
  yield batch(
    `a batch of ${LONG_BATCH} calls`,
    ids.map((id, index) => (index % 3 === 2 ? unknown(id) : call(id))),
    ids.map((id, index) => (index % 3 === 2 ? notFound(id) : valid(base, id))),
  );
  const { maxBatchCalls } = contract;
  if (maxBatchCalls !== null && maxBatchCalls <= MAX_LIMIT_PROBED) {
    // Notifications, so that a server without the limit has little to do.
    const calls = Array.from({ length: maxBatchCalls + 1 }, () => '{"jsonrpc":"2.0","method":"x"}');
    const responses = [refused('the batch is too large', [codes.invalidRequest])];
    const expects = { isBatch: true, responses, hasAnyStatus: true };
    const title = `a batch of ${maxBatchCalls + 1} calls`;
    yield { ...single(title, `[${calls.join(',')}]`), expects };
  }
}

/** Larger batch limits are not tested. */
const MAX_LIMIT_PROBED = 10_000;
