/**
 * The Content-Security-Policy of every page, as a meta element for wherever the files are put. Try-it
 * calls networks the page does not know yet, hence the open `connect-src`; a server that knows them
 * sends a narrower policy as a header. The search runs WebAssembly.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self' http: https: ws: wss:",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
