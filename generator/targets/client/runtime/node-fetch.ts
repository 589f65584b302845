import type { Fetch } from './http.ts';

/** The part of Node's readable streams that is used. */
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

/** The part of `node:http` and `node:https` that is used. */
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

/** The parts of Node that are used. */
export interface NodeModules {
  readonly http: HttpModule;
  readonly https: HttpModule;
  urlToHttpOptions(url: URL): object;
  byteLength(text: string): number;
  /** Decompresses a body; returns undefined for an unsupported encoding. */
  decompress(body: NodeReadable, encoding: string): NodeReadable | undefined;
}

/** Creates a `fetch` based on Node's own HTTP client. It does not follow redirects. */
export function createNodeFetch(node: NodeModules): Fetch {
  // Agents keep connections alive.
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
      // A transport has one URL, and parsing it is the most expensive step here.
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
      // A string is sent together with the headers, bytes are sent separately.
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

/**
 * Maximum number of pieces of a body that are kept separately: a piece of one byte takes hundreds of
 * bytes.
 */
const MAX_PIECES = 999;

function readBounded(body: NodeReadable, maxBytes = Infinity): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const decoder = new TextDecoder();
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    let text = '';
    const join = (): void => {
      text += chunks
        .splice(0)
        .map((chunk) => decoder.decode(chunk, { stream: true }))
        .join('');
    };
    body
      .on('data', (chunk) => {
        if (chunks.push(chunk) > MAX_PIECES) join();
        bytes += chunk.length;
        if (bytes <= maxBytes) return;
        resolve(null);
        body.destroy();
      })
      .on('error', reject)
      .on('end', () => {
        // Most responses are one chunk, which is decoded faster without streaming.
        if (bytes === chunks[0]?.length) return resolve(decoder.decode(chunks[0]));
        join();
        resolve(text + decoder.decode());
      });
  });
}
