import type { Contract } from '../../generator/verify/contract.ts';
import type { Variation } from './defect.ts';
import { firstBatch, isRecord, onMessage } from './protocol-defects.ts';
import { KEY, type Incoming, type Reply } from './reference.ts';

/** Servers that accept wrong keys, or charge wrong costs. */
export function accountDefects(contract: Contract): readonly Variation[] {
  return [...authDefects(contract), ...costDefects(contract)];
}

function authDefects({ keyVariable }: Contract): readonly Variation[] {
  if (keyVariable === null) return [];
  const accept = (name: string, pattern: RegExp, only?: Incoming['transport']): Variation =>
    onMessage(name, (answer, incoming, message) =>
      pattern.test(incoming.path) && (only === undefined || only === incoming.transport)
        ? message({ ...incoming, path: `/v3/${KEY}` })
        : answer,
    );
  return [
    accept('an unknown key accepted', /\/v3\/\w+$/),
    accept('a missing key accepted', /\/v3\/?$/),
    accept('a malformed key accepted', /\/v3\/.*\W/),
    accept('an unknown key accepted over WebSocket', /\/v3\/\w+$/, 'websocket'),
    onMessage('a wrong key gets status 200', (answer) =>
      answer.status === 401 ? { ...answer, status: 200 } : answer,
    ),
  ];
}

/** The header is right, and the usage of the account is not. */
const usageDefects: readonly Variation[] = [
  {
    name: 'calls over WebSocket are not charged',
    change: ({ charge }) => ({
      charge: (cost, transport) => charge(transport === 'websocket' ? 0 : cost, transport),
    }),
  },
  {
    name: 'the usage grows by twice the cost',
    change: ({ charge }) => ({ charge: (cost, transport) => charge(cost * 2, transport) }),
  },
];

function costDefects(contract: Contract): readonly Variation[] {
  const { costHeader, methods } = contract;
  if (costHeader === null) return [];
  const onCost = (name: string, change: (cost: number, reply: Reply) => number): Variation => ({
    name,
    change: ({ reply }) => ({
      reply(request, transport) {
        const answer = reply(request, transport);
        return answer && { ...answer, cost: change(answer.cost, answer) };
      },
    }),
  });
  const other = methods.find(({ cost }) => cost !== null && cost > 0)!;
  return [
    onCost('calls are not charged', () => 0),
    onCost('calls are charged twice', (cost) => cost * 2),
    onCost('refused calls are charged', (cost, { value }) => ('error' in value ? 10 : cost)),
    {
      name: `${other.name} costs one credit more`,
      change: ({ reply }) => ({
        reply(request, transport) {
          const answer = reply(request, transport);
          const isOther =
            answer !== undefined && isRecord(request) && request['method'] === other.name;
          return isOther && answer.cost > 0 ? { ...answer, cost: answer.cost + 1 } : answer;
        },
      }),
    },
    onMessage('a batch costs as much as one call', (answer) =>
      firstBatch(answer) === undefined
        ? answer
        : { ...answer, headers: { [costHeader]: String(other.cost) } },
    ),
    ...(contract.usage === null ? [] : usageDefects),
    onMessage('the cost is not sent', (answer) => ({ ...answer, headers: {} })),
    {
      name: 'errors of the wrong key come without JSON',
      change: ({ message }) => ({
        message: (incoming) => {
          const answer = message(incoming);
          return answer.status === 401 ? { ...answer, bodies: ['Unauthorized'] } : answer;
        },
      }),
    },
  ];
}
