import { keepAllDigits, parseExact } from '../../common/json/exact.ts';
import type { Contract } from '../../generator/verify/contract.ts';
import type { Variation } from './defect.ts';
import type { Incoming, Outgoing, Reply, Steps } from './reference.ts';

const HTML = '<html><body><h1>502 Bad Gateway</h1></body></html>';

const onPrint = (name: string, change: (text: string, reply: Reply) => string): Variation => ({
  name,
  change: ({ print }) => ({
    print: (reply, transport) => change(print(reply, transport), reply),
  }),
});

type Message = Steps['message'];
export const onMessage = (
  name: string,
  change: (answer: Outgoing, incoming: Incoming, message: Message) => Outgoing,
): Variation => ({
  name,
  change: ({ message }) => ({
    message: (incoming) => change(message(incoming), incoming, message),
  }),
});

const isCode = (answer: Outgoing, code: number): boolean =>
  answer.bodies.some((body) => body.startsWith('{') && body.includes(`"code":${code}`));
export const firstBatch = ({ bodies }: Outgoing): string[] | undefined => {
  if (bodies[0]?.startsWith('[') !== true) return undefined;
  return (parseExact(bodies[0]) as unknown[]).map((each) => JSON.stringify(each));
};
const onBatch = (
  name: string,
  change: (responses: string[]) => readonly string[] | string,
): Variation =>
  onMessage(name, (answer) => {
    const responses = firstBatch(answer);
    if (responses === undefined) return answer;
    const changed = change(responses);
    return {
      ...answer,
      bodies: [typeof changed === 'string' ? changed : `[${changed.join(',')}]`],
    };
  });
const html = (status: number): Outgoing => ({
  status,
  headers: { 'content-type': 'text/html' },
  bodies: [HTML],
});
const isNotification = ({ bytes }: Incoming): boolean =>
  bytes.toString().startsWith('{') &&
  !bytes.toString().includes('"id"') &&
  bytes.toString().includes('"2.0"');

/** Servers that break JSON-RPC or HTTP. */
export function protocolDefects(contract: Contract): readonly Variation[] {
  return [
    onPrint('ids as texts', (text, { id }) =>
      text.replace(`"id":${id}`, () => `"id":${JSON.stringify(id)}`),
    ),
    onPrint('ids missing', (text, { id }) => text.replace(`,"id":${id}`, '')),
    onPrint('ids always null', (text, { id }) => text.replace(`"id":${id}`, '"id":null')),
    onPrint('ids lose digits beyond 2^53', (text, { id }) =>
      text.replace(`"id":${id}`, () => `"id":${JSON.stringify(JSON.parse(id))}`),
    ),
    onPrint('fractions of ids are cut', (text, { id }) =>
      text.replace(
        `"id":${id}`,
        () => `"id":${/^\d+\.\d+$/.test(id) ? Math.trunc(Number(id)) : id}`,
      ),
    ),
    onPrint('another version', (text) => text.replace('"jsonrpc":"2.0"', '"jsonrpc":"1.0"')),
    onPrint('the version missing', (text) => text.replace('"jsonrpc":"2.0",', '')),
    onPrint('error: null beside a result', (text) =>
      text.replace('"result":', '"error":null,"result":'),
    ),
    onPrint('result: null beside an error', (text) =>
      text.replace('"error":', '"result":null,"error":'),
    ),
    {
      name: 'any version accepted',
      change: ({ reply }) => ({
        reply: (request, transport) =>
          reply(
            isRecord(request) ? keepAllDigits(request, { ...request, jsonrpc: '2.0' }) : request,
            transport,
          ),
      }),
    },
    {
      name: 'a request with id null counts as a notification',
      change: ({ reply }) => ({
        reply: (request, transport) =>
          isRecord(request) && request['id'] === null && request['jsonrpc'] === '2.0'
            ? undefined
            : reply(request, transport),
      }),
    },
    {
      name: 'an id that is an object accepted',
      change: ({ reply }) => ({
        reply(request, transport) {
          if (!isRecord(request) || typeof request['id'] !== 'object' || request['id'] === null)
            return reply(request, transport);
          const answer = reply({ ...request, id: 1 }, transport);
          return answer && { ...answer, id: JSON.stringify(request['id']) };
        },
      }),
    },
    onMessage('malformed JSON gets status 500 and HTML', (answer, { transport }) =>
      isCode(answer, -32_700) && transport === 'http' ? html(500) : answer,
    ),
    onMessage('malformed JSON gets -32600', (answer) => replaceCode(answer, -32_700, -32_600)),
    onMessage('malformed JSON is not answered', (answer) =>
      isCode(answer, -32_700) ? { ...answer, bodies: [] } : answer,
    ),
    onMessage('an unknown method gets status 404 and HTML', (answer, { transport }) =>
      isCode(answer, -32_601) && transport === 'http' ? html(404) : answer,
    ),
    onMessage('an unknown method gets -32600', (answer) => replaceCode(answer, -32_601, -32_600)),
    {
      name: 'an unknown method gets null',
      change: ({ reply }) => ({
        reply(request, transport) {
          const answer = reply(request, transport);
          const isUnknown =
            answer !== undefined && 'error' in answer.value && answer.value.error.code === -32_601;
          return isUnknown ? { ...answer, value: { result: 'null' } } : answer;
        },
      }),
    },
    onMessage('notifications are answered', (answer, incoming, message) =>
      isNotification(incoming)
        ? message({
            ...incoming,
            bytes: Buffer.from(incoming.bytes.toString().replace('{', '{"id":null,')),
          })
        : answer,
    ),
    onMessage('notifications are answered over WebSocket', (answer, incoming) =>
      isNotification(incoming) && incoming.transport === 'websocket'
        ? { ...answer, bodies: ['{"jsonrpc":"2.0","id":null,"result":null}'] }
        : answer,
    ),
    onMessage('notifications get status 400', (answer, incoming) =>
      isNotification(incoming) ? { ...answer, status: 400 } : answer,
    ),
    onBatch('a batch collapses to its first response', ([first]) => first!),
    onBatch('a batch of one collapses to an object', (all) => (all.length === 1 ? all[0]! : all)),
    onBatch('the last response of a batch is lost', (all) =>
      all.length > 1 ? all.slice(0, -1) : all,
    ),
    onBatch('the first response of a batch comes twice', (all) => [...all, all[0]!]),
    ...(contract.hasBatchOrder ? [onBatch('a batch is reordered', (all) => all.toReversed())] : []),
    onMessage('an empty batch gets an empty array', (answer, { bytes }) =>
      bytes.toString() === '[]' ? { ...answer, status: 200, bodies: ['[]'] } : answer,
    ),
    onMessage('batches are refused', (answer, { bytes }) =>
      bytes.toString().startsWith('[')
        ? {
            ...answer,
            bodies: ['{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches"}}'],
          }
        : answer,
    ),
    onMessage('WebSocket answers come twice', (answer, { transport }) =>
      transport === 'websocket'
        ? { ...answer, bodies: [...answer.bodies, ...answer.bodies] }
        : answer,
    ),
    onMessage('malformed JSON closes the WebSocket', (answer, { transport }) =>
      isCode(answer, -32_700) && transport === 'websocket'
        ? { ...answer, bodies: [], closes: true }
        : answer,
    ),
    {
      name: 'WebSocket accepts any params',
      change: ({ refuses }) => ({
        refuses: (method, params, transport) =>
          transport === 'websocket' ? undefined : refuses(method, params, transport),
      }),
    },
    {
      name: 'WebSocket gives null where HTTP gives a result',
      change: ({ call }) => ({
        call: (each) => (each.transport === 'websocket' ? { result: 'null' } : call(each)),
      }),
    },
    ...structureDefects(contract),
    ...statusDefects(contract),
  ];
}

export function isRecord(value: unknown): value is Record<string, never> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function replaceCode(answer: Outgoing, from: number, to: number): Outgoing {
  if (!isCode(answer, from)) return answer;
  return {
    ...answer,
    bodies: answer.bodies.map((body) => body.replace(`"code":${from}`, `"code":${to}`)),
  };
}

/** Too many params, too few, and params in the other structure are accepted. */
function structureDefects({ methods }: Contract): readonly Variation[] {
  const method = methods.find(({ params }) => params.some(({ required }) => required));
  const accept = (name: string, isAccepted: (params: unknown) => boolean): Variation => ({
    name,
    change: ({ refuses }) => ({
      refuses: (each, params, transport) =>
        isAccepted(params) ? undefined : refuses(each, params, transport),
    }),
  });
  const max = Math.max(...methods.map(({ params }) => params.length));
  const isPositional = method?.paramStructure === 'by-position';
  return [
    accept('too many params accepted', (params) => Array.isArray(params) && params.length > max),
    accept('no params accepted', (params) => Array.isArray(params) && params.length === 0),
    ...(isPositional ? [accept('params by name accepted', isRecord)] : []),
  ];
}

function statusDefects({ errors }: Contract): readonly Variation[] {
  const hasStatus = errors.some(({ status }) => status !== null);
  return hasStatus
    ? [
        onMessage('errors of params have status 500', (answer) =>
          isCode(answer, -32_602) ? { ...answer, status: 500 } : answer,
        ),
        onMessage('malformed JSON has status 200', (answer) =>
          isCode(answer, -32_700) ? { ...answer, status: 200 } : answer,
        ),
        onMessage('results have status 201', (answer) =>
          answer.bodies[0]?.includes('"result"') === true ? { ...answer, status: 201 } : answer,
        ),
      ]
    : [];
}
