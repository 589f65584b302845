// A rule for oxlint: folders are arranged in layers, and a file imports only from its own folder and
// from layers below it. Folders therefore never form a cycle, which `import/no-cycle` does not detect:
// it checks files. The layers, bottom first, are the rule's option in .oxlintrc.json.
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

const layers = {
  meta: {
    type: 'problem',
    schema: [{ type: 'array', items: { type: 'array', items: { type: 'string' } } }],
  },
  create(context) {
    const rank = new Map(
      context.options[0].flatMap((names, index) => names.map((name) => [name, index])),
    );
    const folders = [...rank.keys()];
    /** Returns the entry that a path belongs to: the longest one that is the path or contains it. */
    const entryOf = (path) =>
      folders
        .filter((name) => path === name || path.startsWith(`${name}/`))
        .reduce((longest, name) => (name.length > longest.length ? name : longest), '');
    const file = relative(root, context.filename).replaceAll('\\', '/');
    const own = entryOf(file);
    const isLayered = folders.some((name) => name.split('/')[0] === file.split('/')[0]);
    if (own === '' && !isLayered) return {};

    const check = ({ source }) => {
      if (own === '' || !source?.value?.startsWith?.('.')) return;
      const imported = entryOf(join(dirname(file), source.value).replaceAll('\\', '/'));
      if (imported === '' || imported === own || rank.get(imported) < rank.get(own)) return;
      context.report({
        node: source,
        message: `${own} is not above ${imported} in the layers of .oxlintrc.json; move what both need to a lower layer`,
      });
    };
    return {
      Program(node) {
        if (own === '')
          context.report({ node, message: `add the folder of ${file} to the layers` });
      },
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

export default { meta: { name: 'specgate' }, rules: { layers } };
