import { createRequire } from 'node:module';
import { cloneExact } from '../../common/json/exact.ts';
import { lowerVersion } from '../../generator/bundle/lower-version.ts';
import { stripExtensions } from '../../generator/bundle/strip-extensions.ts';
import type { Contract } from '../../generator/verify/contract.ts';

/** A call that the tool sent. */
interface TestedCall {
  readonly methodName: string;
  readonly title: string;
  readonly valid?: boolean;
  readonly reason?: string;
  readonly requestError?: unknown;
}

interface ToolDocument {
  readonly methods: readonly { readonly name: string }[];
}

const nothing = (): void => {};

/** The reporter "empty" of the tool prints. */
const SILENT = { onBegin: nothing, onTestBegin: nothing, onTestEnd: nothing, onEnd: nothing };

type Tool = (options: {
  readonly openrpcDocument: ToolDocument;
  readonly transport: 'http';
  readonly reporters: readonly (typeof SILENT)[];
}) => Promise<readonly TestedCall[]>;

const require = createRequire(import.meta.url);
const { default: runTool } = require('@open-rpc/test-coverage') as { readonly default: Tool };
// Its own version, as its command line uses it.
const { parseOpenRPCDocument } = createRequire(require.resolve('@open-rpc/test-coverage'))(
  '@open-rpc/schema-utils-js',
) as { readonly parseOpenRPCDocument: (document: object) => Promise<ToolDocument> };

/** What the tool found of a server. */
export interface ToolOutcome {
  /** The first call that it finds invalid; null if there is none. */
  readonly found: string | null;
  /** Calls up to that one, or all. */
  readonly calls: number;
}

/** A run on one server that takes longer has found nothing. */
const TIMEOUT_MS = 20_000;

/**
 * Prepares the document for @open-rpc/test-coverage, which reads OpenRPC up to 1.2.6. Calls that it finds
 * invalid on a correct server do not count: some examples contradict the schemas of their method.
 */
export async function prepareTestCoverage({ model, methods }: Contract, correctUrl: string) {
  const document = cloneExact(model.document);
  lowerVersion(document, '1.2.6');
  stripExtensions(document);
  const parsed = await parseOpenRPCDocument(document);
  const called = new Set(methods.map(({ name }) => name));
  const own = { ...parsed, methods: parsed.methods.filter(({ name }) => called.has(name)) };
  const test = (url: string) => {
    const openrpcDocument = { ...own, servers: [{ url }] };
    return withinTime(runTool({ openrpcDocument, transport: 'http', reporters: [SILENT] }));
  };
  const nameOf = ({ methodName, title }: TestedCall): string => `${methodName} ${title}`;
  const isBad = ({ valid }: TestedCall): boolean => valid !== true;
  const known = new Set((await test(correctUrl)).filter(isBad).map(nameOf));
  return async (url: string): Promise<ToolOutcome> => {
    const calls = await test(url);
    const index = calls.findIndex((call) => isBad(call) && !known.has(nameOf(call)));
    return index < 0
      ? { found: null, calls: calls.length }
      : { found: nameOf(calls[index]!), calls: index + 1 };
  };
}

async function withinTime(run: Promise<readonly TestedCall[]>): Promise<readonly TestedCall[]> {
  const { promise: late, resolve } = Promise.withResolvers<readonly TestedCall[]>();
  const timer = setTimeout(() => resolve([]), TIMEOUT_MS);
  return Promise.race([run, late]).finally(() => clearTimeout(timer));
}
