/** Runs the vectors' server as a process, for clients in other languages; see vectors/README.md. */
import { startVectorServer } from './vectors/server.ts';

const { http, ws, ...server } = await startVectorServer();
process.stdout.write(`${JSON.stringify({ http, ws })}\n`);
const stop = (): void => {
  void server[Symbol.asyncDispose]().then(() => process.exit(0));
};
process.once('SIGTERM', stop).once('SIGINT', stop);
process.stdin.once('end', stop).resume();
