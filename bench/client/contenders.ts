/** The clients that are measured, each made ready to call a method of a server. */
import { JsonRpcProvider, Network, WebSocketProvider } from 'ethers';
import { createPublicClient, http, webSocket } from 'viem';
// As Node imports the package; elsewhere it calls the runtime's own fetch.
import * as specgate from '../../generated/client/src/node.ts';

export const WORKLOADS = ['HTTP single', 'HTTP batched', 'WebSocket'] as const;
export type Workload = (typeof WORKLOADS)[number];

/** The client the others are compared with. */
export const BASELINE = 'viem';

export interface Caller {
  call(method: string, params: readonly unknown[]): Promise<unknown>;
  close(): unknown;
}

type Open = (host: string, workload: Workload) => Caller;

const openSpecgate =
  (fetch?: specgate.Fetch): Open =>
  (host, workload) => {
    const batch = workload === 'HTTP single' ? (false as const) : {};
    const transport =
      workload === 'WebSocket'
        ? specgate.webSocket({ url: `ws://${host}/`, maxInFlight: 10_000 })
        : specgate.http({ url: `http://${host}/`, batch, fetch });
    const client = specgate.createClient({ transport });
    return {
      call: (method, params) => client.request({ method: method as string & {}, params }),
      close: () => client.close(),
    };
  };

const openViem: Open = (host, workload) => {
  const options = { batch: workload === 'HTTP batched' };
  const transport =
    workload === 'WebSocket' ? webSocket(`ws://${host}/`) : http(`http://${host}/`, options);
  const client = createPublicClient({ transport });
  return {
    call: (method, params) => client.request({ method, params } as never),
    close: async () => {
      if (workload === 'WebSocket')
        (
          await (
            client.transport as unknown as { getRpcClient(): Promise<{ close(): void }> }
          ).getRpcClient()
        ).close();
    },
  };
};

const openEthers: Open = (host, workload) => {
  const network = Network.from(1);
  const options = {
    staticNetwork: network,
    ...(workload === 'HTTP single' ? { batchMaxCount: 1 } : {}),
  };
  const provider =
    workload === 'WebSocket'
      ? new WebSocketProvider(`ws://${host}/`, network, options)
      : new JsonRpcProvider(`http://${host}/`, network, options);
  return {
    call: (method, params) => provider.send(method, [...params]),
    close: () => provider.destroy(),
  };
};

interface Contender {
  readonly name: string;
  readonly open: Open;
  /** What it is measured under. */
  readonly workloads: readonly Workload[];
}

const contenders: readonly Contender[] = [
  { name: 'specgate', open: openSpecgate(), workloads: WORKLOADS },
  // A WebSocket does not use fetch.
  {
    name: 'specgate, fetch',
    open: openSpecgate(globalThis.fetch),
    workloads: ['HTTP single', 'HTTP batched'],
  },
  { name: BASELINE, open: openViem, workloads: WORKLOADS },
  { name: 'ethers', open: openEthers, workloads: WORKLOADS },
];

/** Returns the clients that are measured under a workload. */
export function contendersOf(workload: Workload): readonly Contender[] {
  return contenders.filter(({ workloads }) => workloads.includes(workload));
}

/** @throws TypeError for an unknown name */
export function openContender(name: string, host: string, workload: Workload): Caller {
  const found = contenders.find((each) => each.name === name);
  if (found === undefined) throw new TypeError(`unknown client ${name}`);
  return found.open(host, workload);
}
