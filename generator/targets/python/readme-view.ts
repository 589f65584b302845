import { pythonString } from '../../../common/escape/python.ts';
import type { ExampleModel, MethodModel, Model } from '../../model/model.ts';
import type { ErrorClass } from '../client-view/errors.ts';
import { argumentsOf } from '../client-view/methods.ts';
import { unscopedName } from '../client-view/package.ts';
import { viewReadme as viewShared } from '../client-view/readme.ts';
import { pythonLiteralLines } from './literal.ts';
import { nameParameters } from './names.ts';

const WIDTH = 80;

interface ReadmeNames {
  readonly module: string;
  readonly classes: readonly ErrorClass[];
  readonly names: ReadonlyMap<MethodModel, string>;
}

export function viewReadme(model: Model, { module, classes, names }: ReadmeNames) {
  const shared = viewShared(model, {
    classes,
    stringLiteral: pythonString,
    identifierOf: (method) => names.get(method)!,
    writeCall: (method, example) => writeCall(method, names.get(method)!, example),
  });
  const firstCall = shared.first?.call ?? 'client.request("rpc.discover")';
  return {
    ...shared,
    packageName: unscopedName(model),
    module,
    firstCall,
    firstUrl: shared.first?.url ?? shared.httpUrl,
    firstArguments: asArguments(firstCall),
    // Not a revert, whose class is a special case.
    anError: classes.find(({ row }) => row.code !== 3)?.className ?? 'RpcError',
  };
}

/** Writes the call of an example: `client.eth_get_proof("0x…", ["0x…"])`. */
function writeCall(method: MethodModel, identifier: string, example: ExampleModel): string {
  const names = nameParameters(method);
  let isKeyword = method.paramStructure === 'by-name';
  const args = argumentsOf(method, example).flatMap((value, index) => {
    if (value === undefined) {
      // Later arguments need their names.
      isKeyword = true;
      return [];
    }
    const literal = pythonLiteralLines(value, WIDTH);
    return [isKeyword ? `${names.get(method.params[index]!)!}=${literal}` : literal];
  });
  const line = `client.${identifier}(${args.join(', ')})`;
  if (line.length <= WIDTH && !line.includes('\n')) return line;
  const body = args.map((arg) => `    ${arg.replaceAll('\n', '\n    ')},\n`).join('');
  return `client.${identifier}(\n${body})`;
}

/** Turns the call "client.a(1)" into the arguments "client.a, 1". */
function asArguments(call: string): string {
  const open = call.indexOf('(');
  const args = call.slice(open + 1, -1);
  return args === '' ? call.slice(0, open) : `${call.slice(0, open)}, ${args}`;
}
