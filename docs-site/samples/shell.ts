import { shellWord } from '../../common/escape/shell.ts';
import { httpUrl, requestText, wsUrl } from './call-text.ts';
import type { Writer } from './sample.ts';

export const curl: Writer = (call) =>
  [
    `curl -s ${shellWord(httpUrl(call))} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shellWord(requestText(call))}`,
  ].join('\n');

export const wscat: Writer = (call) => {
  const url = wsUrl(call);
  return url === null
    ? null
    : `npx wscat -c ${shellWord(url)} -w 2 -x ${shellWord(requestText(call))}`;
};
