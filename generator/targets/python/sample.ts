import { pythonString } from '../../../common/escape/python.ts';
import type { LiteralSyntax, SampleCode } from '../../../common/samples/sample.ts';
import type { DescribeSamples } from '../target.ts';
import { moduleName, nameMethods } from './names.ts';

const syntax: LiteralSyntax = {
  words: { null: 'None', true: 'True', false: 'False' },
  quote: '"',
  hasLongEscapes: true,
  braces: ['{', '}'],
  hasBareKeys: false,
  indent: '    ',
  wideSuffix: '',
};

/** Methods with params by name take keyword arguments; `request` takes the object itself. */
export const describeSamples: DescribeSamples = (model) => {
  const names = nameMethods(model);
  const code = (call: SampleCode): SampleCode => [
    `from ${moduleName(model)} import Client\n\nwith Client(`,
    { slot: 'url' },
    ') as client:\n    print(',
    ...call,
    '))',
  ];
  return (method) => ({
    label: 'Python',
    syntax,
    code: code([`client.${names.get(method)!}(`, { slot: 'arguments', indent: '        ' }]),
    codeByName: code([
      `client.request(${pythonString(method.name)}, `,
      { slot: 'params', indent: '    ' },
    ]),
  });
};
