import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Delivery } from './delivery.ts';
import type { HttpConnection } from './http-connection.ts';
import type { Site } from './site.ts';

/** One HTTP request on its way to its answer. */
export interface Exchange {
  readonly site: Site;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly connection: HttpConnection;
  readonly delivery: Delivery;
}
