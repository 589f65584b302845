import type { Fetch } from './http.ts';

/** The part of a readable stream of Node that is used. */
interface NodeReadable {
  on(event: 'data', listener: (chunk: Uint8Array) => void): NodeReadable;
  on(event: 'end', listener: () => void): NodeReadable;
  on(event: 'error', listener: (error: unknown) => void): NodeReadable;
  destroy(): unknown;
}

interface NodeResponse extends NodeReadable {
  readonly statusCode?: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The part of `node:http` that is used; `node:https` has it too. */
interface HttpModule {
  readonly Agent: new (options: { readonly keepAlive: boolean }) => object;
  request(
    options: object,
    onResponse: (response: NodeResponse) => void,
  ): {
    on(event: 'error', listener: (error: unknown) => void): unknown;
    on(event: 'close', listener: () => void): unknown;
    end(body: string): unknown;
    destroy(error: unknown): unknown;
  };
}

/** What is used of Node. */
export interface NodeModules {
  readonly http: HttpModule;
  readonly https: HttpModule;
  urlToHttpOptions(url: URL): object;
  byteLength(text: string): number;
  /** Reads a compressed body; undefined for an encoding that is not asked for. */
  decompress(body: NodeReadable, encoding: string): NodeReadable | undefined;
}

/** Makes a `fetch` of Node's own HTTP client. Redirects are not followed. */
export function createNodeFetch(node: NodeModules): Fetch {
  // Made when they are wanted, one for each scheme: they keep connections alive.
  const agents = new Map<HttpModule, object>();
  const prepare = (url: string) => {
    const client = url.startsWith('https:') ? node.https : node.http;
    const agent = agents.get(client) ?? new client.Agent({ keepAlive: true });
    agents.set(client, agent);
    return { url, client, options: { ...node.urlToHttpOptions(new URL(url)), agent } };
  };
  let last: ReturnType<typeof prepare> | undefined;

  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      // A transport has one address, and reading one takes longer than all the rest here.
      if (last?.url !== url) last = prepare(url);
      const all = {
        'accept-encoding': 'br, gzip',
        ...headers,
        'content-length': node.byteLength(body),
      };
      const request = last.client.request({ ...last.options, method, headers: all }, (response) =>
        resolve(readResponse(response, node)),
      );
      const abort = (): void => void request.destroy(signal.reason);
      signal.addEventListener('abort', abort);
      request.on('error', reject);
      request.on('close', () => signal.removeEventListener('abort', abort));
      // Text goes to the socket in one piece with the head, bytes would go in a second one.
      request.end(body);
    });
}

function readResponse(
  response: NodeResponse,
  { decompress }: NodeModules,
): Awaited<ReturnType<Fetch>> {
  const { statusCode: status = 0, headers } = response;
  const get = (name: string): string | null => headers[name.toLowerCase()]?.toString() ?? null;
  const encoding = get('content-encoding');
  const body = (encoding && decompress(response, encoding)) || response;
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: {
      get,
      forEach: (visit) => {
        for (const name of Object.keys(headers)) visit(get(name)!, name);
      },
    },
    body: null,
    text: (maxBytes) => readBounded(body, maxBytes),
  };
}

function readBounded(body: NodeReadable, maxBytes = Infinity): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const decoder = new TextDecoder();
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    body
      .on('data', (chunk) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= maxBytes) return;
        resolve(null);
        body.destroy();
      })
      .on('error', reject)
      .on('end', () => {
        // Most answers are one chunk, and a decoder is quickest where it need not remember any.
        const [first] = chunks;
        if (first && chunks.length === 1) resolve(decoder.decode(first));
        else {
          const texts = chunks.map((chunk) => decoder.decode(chunk, { stream: true }));
          resolve(texts.join('') + decoder.decode());
        }
      });
  });
}
