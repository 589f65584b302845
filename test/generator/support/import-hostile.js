// Imports generated modules and runs samples, and prints what each left behind. Read as a program of
// its own: `[canary, [{ modules, samples }]]` comes on its standard input.
import { registerHooks } from 'node:module';
import { text } from 'node:stream/consumers';

const [canary, cases] = JSON.parse(await text(process.stdin));

/** What the packages that samples import are here: each call made is kept. */
const STUB = `
const note = (call) => (globalThis.sampleCalls ??= []).push(call);
const callee = (path) => new Proxy(function () {}, {
  get: (_, name) => (name === 'then' ? undefined : callee([...path, name])),
  apply: (_, self, given) => { note([...path.slice(-1), ...given]); return callee([]); },
  construct: (_, given) => { note(['new', ...given]); return callee([]); },
});
export const [createClient, http, JsonRpcProvider, Network, createSolanaRpc] =
  ['createClient', 'http', 'JsonRpcProvider', 'Network', 'createSolanaRpc'].map((name) => callee([name]));
`;

registerHooks({
  resolve(specifier, context, next) {
    if (!context.parentURL?.includes('/sample-')) return next(specifier, context);
    return { url: `data:text/javascript,${encodeURIComponent(STUB)}`, shortCircuit: true };
  },
});
globalThis.fetch = async (...given) => {
  (globalThis.sampleCalls ??= []).push(['fetch', ...given]);
  return { json: async () => ({}) };
};
// oxlint-disable-next-line no-console
console.log = () => {};

const found = [];
for (const { modules, samples } of cases) {
  const each = { failures: [], calls: [], methods: [], canary: false };
  for (const module of [...modules, ...samples]) {
    globalThis.sampleCalls = undefined;
    try {
      const { methods } = await import(module);
      if (methods !== undefined) each.methods = Object.keys(methods);
      if (samples.includes(module)) each.calls.push(globalThis.sampleCalls);
    } catch (error) {
      each.failures.push(`${module}: ${error}`);
    }
  }
  each.canary = canary in globalThis;
  delete globalThis[canary];
  found.push(each);
}
process.stdout.write(
  JSON.stringify(found, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)),
);
