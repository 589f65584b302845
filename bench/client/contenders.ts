/** The clients that are measured, each made ready to call a method of a server. */
import { JsonRpcProvider, Network, WebSocketProvider } from 'ethers';
import { createPublicClient, http, webSocket } from 'viem';
// As Node imports the package; elsewhere it calls the runtime's own fetch.
import * as specgate from '../../generated/client/src/node.ts';

export const WORKLOADS = ['HTTP single', 'HTTP batched', 'WebSocket'] as const;
export type Workload = (typeof WORKLOADS)[number];

/** The client the others are compared with. */
export const MEASURE = 'viem';

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

export const contenders: Readonly<Record<string, Open>> = {
  specgate: openSpecgate(),
  'specgate, fetch': openSpecgate(globalThis.fetch),
  viem: openViem,
  ethers: openEthers,
};

/** Who is measured under a workload: over a socket nobody's fetch makes a difference. */
export function contendersOf(workload: Workload): readonly (readonly [name: string, open: Open])[] {
  return Object.entries(contenders).filter(
    ([name]) => workload !== 'WebSocket' || !name.endsWith('fetch'),
  );
}
