import { escapeJson } from '../../../../common/escape/json.ts';
import { keepDigits, printExact } from '../../../../common/json/exact.ts';
import { isObject, type Json, type JsonObject } from '../../../../common/json/value.ts';
import type { ExampleModel, MethodModel } from '../../../model/model.ts';
import { fragmentOf } from '../html.ts';
import type { PageTools } from '../page.ts';

export type ExampleView = ReturnType<typeof viewExamples>[number];

/** Returns the params of an example as sent, by name if the method requires it. */
export function exampleParams(
  { paramStructure }: MethodModel,
  { params }: ExampleModel,
): readonly Json[] | JsonObject {
  const given = params.filter(({ value }) => value !== undefined);
  const isByName = paramStructure === 'by-name';
  const taken: [string, Json][] = given.map(({ name, value }, index) => [
    isByName ? name : String(index),
    value!,
  ]);
  const result = isByName ? Object.fromEntries(taken) : taken.map(([, value]) => value);
  for (const [index, [key]] of taken.entries()) keepDigits([given[index]!, 'value'], [result, key]);
  return result;
}

/** Returns the error of an example (`x-error`), or null. */
export function exampleError({ extensions }: ExampleModel): JsonObject | null {
  const error = extensions['x-error'];
  return isObject(error) ? error : null;
}

/** Returns the request and response of each example of a method. */
export function viewExamples(method: MethodModel, tools: PageTools) {
  return method.examples.map((example, index) => {
    const name = example.name === '' ? `Example ${index + 1}` : example.name;
    const id = tools.ids('example', name.toLowerCase());
    const text = example.description || example.summary;
    const error = exampleError(example);
    const requestText = printJson({
      jsonrpc: '2.0',
      ...(method.result === null ? {} : { id: 1 }),
      method: method.name,
      params: exampleParams(method, example),
    });
    const answerText = answerOf(method, example, error);
    const network = example.extensions['x-network'];
    return {
      id,
      href: fragmentOf(id),
      name,
      description: tools.html(text),
      text,
      network: typeof network === 'string' ? network : '',
      isError: error !== null,
      request: tools.highlight(requestText, 'json'),
      answer: tools.highlight(answerText, 'json'),
      requestText,
      answerText,
      isFirst: index === 0,
    };
  });
}

function answerOf(method: MethodModel, example: ExampleModel, error: JsonObject | null): string {
  if (error !== null) return printJson({ jsonrpc: '2.0', id: 1, error });
  const { result } = example;
  if (method.result === null || result?.value === undefined) return '';
  const envelope = { jsonrpc: '2.0', id: 1, result: result.value };
  keepDigits([result, 'value'], [envelope, 'result']);
  return printJson(envelope);
}

function printJson(value: JsonObject): string {
  return escapeJson(printExact(value, 2));
}
