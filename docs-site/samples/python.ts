import { httpUrl, pythonLiteral } from './call-text.ts';
import type { Json, Writer } from './sample.ts';

/** With what Python brings along: nothing to install. */
export const python: Writer = (call) => {
  const { method, params } = call;
  const request = pythonLiteral({
    jsonrpc: '2.0',
    id: 1,
    method: method.name,
    params: params as Json,
  });
  return `import json, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(httpUrl(call))},
    data=json.dumps(${request}).encode(),
    headers={"content-type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)
print(answer.get("error") or answer["result"])`;
};
