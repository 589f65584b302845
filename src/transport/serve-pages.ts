import { plainAnswer, serveAnswers, type Answer, type AnswerServer } from './serve-answers.ts';

export interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type PageServer = AnswerServer;

export interface PagesOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Pages by their path. */
  readonly pages: Readonly<Record<string, () => Page | Promise<Page>>>;
}

/** Serves a few pages by GET; everything else is 404 or 405. Rejects when it cannot listen. */
export function servePages({ host, port, pages }: PagesOptions): Promise<PageServer> {
  const pageFor = async (method: string, path: string): Promise<Answer> => {
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (page === undefined) return plainAnswer(404, 'not found\n');
    if (method !== 'GET' && method !== 'HEAD') {
      return plainAnswer(405, 'GET only\n', { allow: 'GET, HEAD' });
    }
    const { status, contentType, headers, body } = await page();
    return {
      status,
      headers: { 'content-type': contentType, ...headers },
      body: Buffer.from(body),
    };
  };
  return serveAnswers({ host, port, answer: ({ method, path }) => pageFor(method, path) });
}
