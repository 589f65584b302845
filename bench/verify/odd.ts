import { keepAllDigits, parseExact, printExact } from '../../common/json/exact.ts';
import { isObject, type Json } from '../../common/json/value.ts';
import { isSame } from '../../generator/containment/canonical.ts';
import { resultSchemaOf, type Contract } from '../../generator/verify/contract.ts';
import type { Variation } from './defect.ts';
import type { Outgoing, Reply } from './reference.ts';

const onPrint = (name: string, change: (text: string, reply: Reply) => string): Variation => ({
  name,
  change: ({ print }) => ({ print: (reply, transport) => change(print(reply, transport), reply) }),
});

const onAnswer = (name: string, change: (answer: Outgoing) => Outgoing): Variation => ({
  name,
  change: ({ message }) => ({ message: (incoming) => change(message(incoming)) }),
});

/** Calls between two of another caller. */
const OTHER_CALLS = 3;

const SLOW_MS = 3;

/** Servers that look odd and keep the document. */
export function oddServers(contract: Contract): readonly Variation[] {
  return [
    { name: 'the reference itself', change: () => ({}) },
    {
      name: 'further members in results',
      change: ({ call }) => ({
        call(each) {
          const value = call(each);
          if ('error' in value) return value;
          const more = withMembers(parseExact(value.result));
          const isValid =
            contract.check(resultSchemaOf(each.method, each.params), more).length === 0;
          return isValid ? { result: printExact(more) } : value;
        },
      }),
    },
    newestBlockChanges(contract),
    onPrint('members in another order', (text, { id }) => {
      const rest = text.slice(`{"jsonrpc":"2.0","id":${id},`.length, -1);
      return `{${rest},"id":${id},"jsonrpc":"2.0"}`;
    }),
    onPrint('further members in responses', (text) => text.replace('{', '{"x-node":"a","time":1,')),
    onPrint('white space everywhere', (text) => `\n ${text.replace(/^\{/, '{\n\t ')} \r\n`),
    onPrint('escaped texts', (text) => text.replaceAll('0x', String.raw`\u0030x`)),
    onPrint('other texts of errors', (text) =>
      text.replace(/"message":"(?:[^"\\]|\\.)*"/, '"message":"Something is wrong. ¡Olé!"'),
    ),
    {
      name: 'further members in the data of errors',
      change: ({ print }) => ({
        print(reply, transport) {
          if (!('error' in reply.value) || !isObject(reply.value.error.data))
            return print(reply, transport);
          const error = {
            ...reply.value.error,
            data: { ...reply.value.error.data, hint: 'see the docs' },
          };
          return print({ ...reply, value: { error } }, transport);
        },
      }),
    },
    onAnswer('status 202 for notifications', (answer) =>
      answer.bodies.length === 0 ? { ...answer, status: 202 } : answer,
    ),
    onAnswer('other headers', (answer) => ({
      ...answer,
      headers: {
        ...answer.headers,
        'content-type': 'application/json; charset=utf-8',
        connection: 'close',
      },
    })),
    {
      name: 'another caller uses the account',
      change: ({ charge }) => {
        let calls = 0;
        return {
          charge(cost, transport) {
            calls += 1;
            charge(calls % OTHER_CALLS === 0 ? cost + calls : cost, transport);
          },
        };
      },
    },
    { name: 'slow answers', change: () => ({}), serve: { delay_ms: SLOW_MS } },
    { name: 'binary WebSocket messages', change: () => ({}), serve: { isBinary: true } },
    ...(contract.hasBatchOrder
      ? []
      : [
          onAnswer('batches in reverse order', (answer) => {
            if (answer.bodies[0]?.startsWith('[') !== true) return answer;
            const all = parseExact(answer.bodies[0]) as readonly Json[];
            return { ...answer, bodies: [printExact(all.toReversed())] };
          }),
        ]),
  ];
}

/** Calls between two changes of results that are not final. */
const CHANGE_CALLS = 50;

/** What a call by tag finds changes, as new blocks come. */
function newestBlockChanges({ check }: Contract): Variation {
  return {
    name: 'results of the newest block change',
    change: ({ call }) => {
      let calls = 0;
      return {
        call(each) {
          const value = call(each);
          calls += 1;
          const { method, params } = each;
          const isTag = printExact(params).includes('"latest"');
          const isShown = method.examples.some((example) => isSame(example.params, params));
          const result = 'error' in value ? null : parseExact(value.result);
          if (!isTag || isShown || !isObject(result)) return value;
          const changed = { ...result, newMember: Math.floor(calls / CHANGE_CALLS) };
          const isValid = check(resultSchemaOf(method, params), changed).length === 0;
          return isValid ? { result: printExact(changed) } : value;
        },
      };
    },
  };
}

function withMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map((each: Json) => withMembers(each));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, withMembers(each)] as const);
  const copy = {
    ...Object.fromEntries(entries.toReversed()),
    addedLater: { by: ['a newer server'] },
  };
  return keepAllDigits(value, copy);
}
