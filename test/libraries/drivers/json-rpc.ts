/** Clients that know no methods: the caller names them. */
import { once } from 'node:events';
import { Client, HTTPTransport, RequestManager, WebSocketTransport } from '@open-rpc/client-js';
import jayson from 'jayson/promise/index.js';
import { JSONRPCClient } from 'json-rpc-2.0';
import { WebSocket } from 'ws';
import { defineLibrary, versionOf } from '../library.ts';

const group = 'JSON-RPC clients';

type Jayson = jayson.HttpClient | jayson.WebsocketClient;

export const jaysonClient = defineLibrary<Jayson>({
  name: 'jayson',
  version: versionOf('jayson'),
  group,
  transports: {
    http: (url) => ({ client: jayson.Client.http(url as never) }),
    // It does not wait until the connection is open, so it is given an open one.
    websocket: async (url) => {
      const ws = new WebSocket(url);
      await once(ws, 'open');
      return { client: jayson.Client.websocket({ ws: ws as never }), close: () => ws.close() };
    },
  },
  raw: {
    functionOf: () => 'request',
    call: async (client, method, params) => {
      const { error, result } = await (client as jayson.HttpClient).request(method, [...params]);
      if (error !== undefined) throw new Error(JSON.stringify(error));
      return result;
    },
  },
});

export const jsonRpc2 = defineLibrary<JSONRPCClient>({
  name: 'json-rpc-2.0',
  version: versionOf('json-rpc-2.0'),
  group,
  transports: {
    http: (url) => {
      const client: JSONRPCClient = new JSONRPCClient(async (request) => {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(request),
        });
        client.receive((await response.json()) as never);
      });
      return { client };
    },
    websocket: async (url) => {
      const socket = new WebSocket(url);
      await once(socket, 'open');
      const client = new JSONRPCClient((request) => socket.send(JSON.stringify(request)));
      socket.on('message', (data: Buffer) => client.receive(JSON.parse(data.toString()) as never));
      return { client, close: () => socket.close() };
    },
  },
  raw: {
    functionOf: () => 'request',
    call: (client, method, params) => Promise.resolve(client.request(method, [...params])),
  },
});

const openRpc = (transport: HTTPTransport | WebSocketTransport) => {
  const client = new Client(new RequestManager([transport]));
  return { client, close: () => client.close() };
};

export const openRpcClient = defineLibrary<Client>({
  name: '@open-rpc/client-js',
  version: versionOf('@open-rpc/client-js'),
  group,
  transports: {
    http: (url) => openRpc(new HTTPTransport(url)),
    websocket: (url) => openRpc(new WebSocketTransport(url)),
  },
  raw: {
    functionOf: () => 'request',
    call: (client, method, params) => client.request({ method, params: [...params] }),
  },
});
