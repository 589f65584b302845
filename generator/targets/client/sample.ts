import { scriptString } from '../../../common/escape/script.ts';
import { scriptSyntax } from '../../../common/samples/literal.ts';
import { packageName } from '../client-view/package.ts';
import type { DescribeSamples } from '../target.ts';

export const describeSamples: DescribeSamples = (model) => {
  const name = scriptString(packageName(model), "'");
  return ({ identifier }) => ({
    label: 'Client',
    syntax: { ...scriptSyntax, wideSuffix: null },
    code: [
      `import { createClient, http } from ${name};\n\n`,
      'const client = createClient({ transport: http({ url: ',
      { slot: 'url' },
      ` }) });\nconst result = await client.${identifier}(`,
      { slot: 'arguments' },
      ');\nconsole.log(result);',
    ],
  });
};
