// The Router of @open-rpc/server-js in mock mode behind its own WebSocket transport.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { parseOpenRPCDocument } from '@open-rpc/schema-utils-js';
import { Server } from '@open-rpc/server-js';

type Options = ConstructorParameters<typeof Server>[0];

// As its README has it: references are followed before the server gets the document.
const openrpcDocument = await parseOpenRPCDocument(
  JSON.parse(await readFile(process.argv[2]!, 'utf8')) as Options['openrpcDocument'],
);
const port = await new Promise<number>((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const found = (probe.address() as AddressInfo).port;
    probe.close(() => resolve(found));
  });
});
// The library logs to standard output, where only the address is expected.
const print = console.log.bind(console);
console.log = () => undefined;
const server = new Server({
  openrpcDocument,
  methodMapping: { mockMode: true },
  transportConfigs: [
    {
      type: 'WebSocketTransport',
      options: { id: 'ws', udp: false, port, middleware: [] } as never,
    },
  ],
} as Options);
await server.start();
print(JSON.stringify({ ws: `ws://127.0.0.1:${port}/` }));
