import type { Json } from '../../../common/json/value.ts';
import type { ExampleModel, MethodModel } from '../../model/model.ts';
import { pythonLiteralLines } from './literal.ts';
import { nameParameters } from './names.ts';

const WIDTH = 80;

/** The call of an example, as an expression: `client.eth_get_proof("0x…", ["0x…"])`. */
export function writeCall(method: MethodModel, identifier: string, example: ExampleModel): string {
  const names = nameParameters(method);
  const isNamed = method.paramStructure === 'by-name';
  let isBehindGap = isNamed;
  const args = method.params.flatMap((param, index) => {
    const value = valueOf(example, param.name, index);
    if (value === undefined) {
      isBehindGap = true;
      return [];
    }
    const literal = pythonLiteralLines(value, WIDTH);
    return [isBehindGap ? `${names.get(param)!}=${literal}` : literal];
  });
  const line = `client.${identifier}(${args.join(', ')})`;
  if (line.length <= WIDTH && !line.includes('\n')) return line;
  const body = args.map((arg) => `    ${arg.replaceAll('\n', '\n    ')},\n`).join('');
  return `client.${identifier}(\n${body})`;
}

function valueOf(example: ExampleModel, name: string, index: number): Json | undefined {
  const named = example.params.find((each) => each.name === name);
  return (named ?? example.params[index])?.value;
}
