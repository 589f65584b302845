import type { DevnetNode } from '../node.ts';
import { NodeError, startNodeServer, type NodeHandler } from '../node-server.ts';
import { createHandlers } from './handlers.ts';
import { recording } from './recording.ts';

/** Answers calls from the recording. */
export function createArchiveHandler(): NodeHandler {
  const handlers = new Map(Object.entries(createHandlers(recording)));
  return (method, params) => {
    const handler = handlers.get(method);
    if (handler === undefined) {
      throw new NodeError(-32601, `the method ${method} does not exist/is not available`);
    }
    return handler(params);
  };
}

/**
 * Starts the node of the recorded chain: what a node of today cannot show, such as uncles, receipts
 * with `root` and the nulls of a pending block. HTTP only, on 127.0.0.1.
 *
 * @param options.port 0 or absent takes any free one.
 * @throws the socket's error, such as EADDRINUSE, when the port cannot be taken.
 */
export function startArchiveNode(options: { readonly port?: number } = {}): Promise<DevnetNode> {
  return startNodeServer({ name: 'archive', handle: createArchiveHandler(), ...options });
}
