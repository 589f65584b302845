import { descriptionLine, linkText } from '../../../../common/escape/markdown.ts';
import { onOneLine } from '../../../../common/escape/text.ts';
import { isObject } from '../../../../common/json/value.ts';
import { textAt } from '../../../model/member.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { componentOf } from '../../../model/type-names.ts';
import { schemasIn } from '../../../schema/subschemas.ts';
import { breakableName } from '../html.ts';
import { createPageTools, type Page, type RenderContext } from '../page.ts';
import { recordsOfFields, schemaMarkdown } from '../schema/text.ts';
import { labelType, textOf } from '../schema/type-label.ts';

export function typesPage(context: RenderContext): Page {
  const { site } = context;
  const tools = createPageTools(context, 'types/index');
  const types = [...site.model.schemas.values()].map(({ name, schema }) => {
    const object = isObject(schema) ? schema : {};
    const text = onOneLine(textAt(object, 'description') || textAt(object, 'title'));
    return {
      name,
      id: tools.ids(name),
      href: `../${site.typePath(name)}.html`,
      summary: tools.inline(text),
      text,
      kind: textOf(labelType(schema, site)),
    };
  });
  const links = types.map(({ name, href, text }) => {
    const file = href.replace('../types/', '').replace(/html$/, 'md');
    return `- [${linkText(name)}](${file}): ${descriptionLine(text)}`;
  });
  return {
    path: 'types/index',
    title: 'Types',
    summary: 'All types of params and results.',
    template: 'types',
    view: { types },
    markdown: links.join('\n'),
  };
}

/** Renders the page of a type: its fields, and the methods and types that use it. */
export function typePage(
  { name, schema }: SchemaModel,
  context: RenderContext,
  users: TypeUsers,
): Page {
  const path = context.site.typePath(name);
  const tools = createPageTools(context, path);
  const view = tools.describer()(schema, { name, path: [name], trail: [name] });
  const title = isObject(schema) ? textAt(schema, 'title') : '';
  const summary = title === name ? '' : title;
  const found = [...(users.get(name) ?? [])];
  const page = `${path}.html`;
  const text = `${summary} ${view.text}`;
  return {
    path,
    title: name,
    summary: summary || onOneLine(view.text).slice(0, 160),
    template: 'type',
    view: {
      root: tools.root,
      heading: breakableName(name),
      summary,
      schema: view,
      users: found.map(([path, title]) => ({ title, href: `${tools.root}${path}.html` })),
      hasUsers: found.length > 0,
    },
    markdown: schemaMarkdown(view),
    records: [
      { url: page, title: name, kind: 'type', context: 'Types', text },
      ...recordsOfFields(view, { page, kind: 'field', context: name }),
    ],
  };
}

/** The methods and types that refer to each type: path to title. */
type TypeUsers = ReadonlyMap<string, ReadonlyMap<string, string>>;

export function findTypeUsers({ site }: RenderContext): TypeUsers {
  const { methods, schemas } = site.model;
  const users = new Map<string, Map<string, string>>();
  const note = (schema: SchemaModel['schema'], title: string, path: string) => {
    for (const component of [...schemasIn(schema)].map(componentOf)) {
      if (component === null || component === title) continue;
      users.set(component, (users.get(component) ?? new Map()).set(path, title));
    }
  };
  for (const { name, params, result } of methods) {
    for (const { schema } of params) note(schema, name, site.methodPath(name));
    if (result !== null) note(result.schema, name, site.methodPath(name));
  }
  for (const { name, schema } of schemas.values()) note(schema, name, site.typePath(name));
  return users;
}
