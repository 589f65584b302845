import { pythonString } from '../../common/escape/python.ts';
import { httpUrl, pythonLiteral } from './call-text.ts';
import type { Json, Writer } from './sample.ts';

/** The generated client; a method that takes its parameters by name is called by its own name. */
export const python: Writer = (call) => {
  const { method, params } = call;
  const { pythonModule, pythonIdentifier } = method;
  const result = Array.isArray(params)
    ? `client.${pythonIdentifier}(${argumentsOf(params.map((param: Json) => pythonLiteral(param, MARGIN)))})`
    : `client.request(${argumentsOf([pythonString(method.name), pythonLiteral(params as Json, MARGIN)])})`;
  return `from ${pythonModule} import Client

with Client(${pythonString(httpUrl(call))}) as client:
    print(${result})`;
};

const MAX_LINE = 60;

/** Where the arguments stand that have lines of their own. */
const MARGIN = '        ';

function argumentsOf(literals: readonly string[]): string {
  const line = literals.join(', ');
  if (line.length <= MAX_LINE && !line.includes('\n')) return line;
  return `\n${literals.map((literal) => `${MARGIN}${literal},\n`).join('')}    `;
}
