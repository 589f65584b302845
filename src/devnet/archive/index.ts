import { type DevnetNode, NodeError, type NodeHandler, startNodeServer } from '../node-server.ts';
import { createHandlers } from './handlers.ts';
import { recording } from './recording.ts';

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
 * Starts the node of the recorded chain, which has what current nodes lack, such as uncles, receipts
 * with `root` and the nulls of a pending block. HTTP only, on 127.0.0.1.
 *
 * @param options.port 0 or undefined: any free port.
 * @throws the socket's error, such as EADDRINUSE.
 */
export function startArchiveNode(options: { readonly port?: number } = {}): Promise<DevnetNode> {
  return startNodeServer({ name: 'archive', handle: createArchiveHandler(), ...options });
}
