import type { Fetch } from './http.ts';

/** The part of `node:http` that is used; `node:https` has it too. */
export interface NodeHttp {
  Agent: new (options: { keepAlive: boolean }) => object;
  request(
    url: string,
    options: {
      readonly method: string;
      readonly headers: Readonly<Record<string, string | number>>;
      readonly signal: AbortSignal;
      readonly agent: object;
    },
    onResponse: (response: NodeResponse) => void,
  ): {
    on(event: 'error', listener: (error: Error) => void): unknown;
    end(body: Uint8Array): unknown;
  };
}

interface NodeResponse extends AsyncIterable<Uint8Array> {
  readonly statusCode?: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  destroy(): unknown;
}

/** Makes a `fetch` of Node's own HTTP client. Redirects are not followed. */
export function createNodeFetch(http: NodeHttp, https: NodeHttp): Fetch {
  const agents = new Map<NodeHttp, object>();
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const client = url.startsWith('https:') ? https : http;
      const agent = agents.get(client) ?? new client.Agent({ keepAlive: true });
      agents.set(client, agent);
      const bytes = new TextEncoder().encode(body);
      const options = { method, headers: { ...headers, 'content-length': bytes.length } };
      const request = client.request(url, { ...options, signal, agent }, (response) => {
        resolve(toResponse(response));
      });
      request.on('error', reject);
      request.end(bytes);
    });
}

function toResponse(response: NodeResponse): Awaited<ReturnType<Fetch>> {
  const { statusCode: status = 0, headers } = response;
  const get = (name: string): string | null => headers[name.toLowerCase()]?.toString() ?? null;
  const chunks = response[Symbol.asyncIterator]();
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: {
      get,
      forEach: (visit) => {
        for (const name of Object.keys(headers)) visit(get(name)!, name);
      },
    },
    body: {
      getReader: () => ({
        read: async () => {
          const { done = false, value } = await chunks.next();
          return { done, value: done ? undefined : value };
        },
        cancel: async () => response.destroy(),
      }),
    },
    // What reads a response reads its body.
    text: () => Promise.reject(new TypeError('the body is a stream')),
  };
}
