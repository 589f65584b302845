import { isObject, type JsonObject, type Schema } from '../../../common/json/value.ts';
import { textAt } from '../../model/member.ts';
import { followed } from './schema-view.ts';
import { schemaList } from '../../schema/subschemas.ts';
import { ownSchemas, schemaOf, type Element } from '../context.ts';
import { openrpc, rule } from '../rule.ts';

const said = (value: JsonObject, ...keys: readonly string[]) =>
  keys.some((key) => textAt(value, key).trim() !== '');

/**
 * Returns whether a parameter or result is described: by itself, by its schema, or by a name of several
 * words.
 */
function isDescribed(document: JsonObject, element: Element): boolean {
  if (said(element.value, 'summary', 'description')) return true;
  return (
    /\S\s\S/.test(textAt(element.value, 'name')) || isSchemaDescribed(document, schemaOf(element))
  );
}

/** Returns whether a schema, or every branch of its union except null, is described. */
function isSchemaDescribed(document: JsonObject, schema: Schema): boolean {
  const target = followed(document, schema);
  if ([schema, target].some((each) => isObject(each) && said(each, 'title', 'description')))
    return true;
  if (!isObject(target)) return false;
  const branches = [...schemaList(target['oneOf']), ...schemaList(target['anyOf'])]
    .map((branch) => followed(document, branch))
    .filter((branch) => !isObject(branch) || branch['type'] !== 'null');
  const isSaid = (branch: Schema) => isObject(branch) && said(branch, 'title', 'description');
  return branches.length > 0 && branches.every(isSaid);
}

export const documentation = [
  rule('method-described', ['warning', 'error'], {
    title: 'Methods have a summary or a description',
    protects: 'Neither people nor models can choose a method by its name alone.',
    source: openrpc('method-object', 'summary and description say what the method does'),
    fix: 'write a summary',
    bad: `methods:
  - name: getUser`,
    good: `methods:
  - name: getUser
    summary: Returns a user by its id.`,
    *check({ methods }) {
      for (const { value, name, place } of methods) {
        if (said(value, 'summary', 'description')) continue;
        yield { pointer: place, message: `"${name}" has neither a summary nor a description` };
      }
    },
  }),
  rule('method-summary', ['off', 'error'], {
    title: 'Methods have a summary',
    protects:
      'Lists, menus and completions show one line; without a summary they show only the name.',
    source: openrpc('method-object', 'summary is a short summary of what the method does'),
    fix: 'write a one-line summary',
    bad: `methods:
  - name: getUser
    description: Returns a user by its id, or null.`,
    good: `methods:
  - name: getUser
    summary: Returns a user by its id.`,
    *check({ methods }) {
      for (const { value, name, place } of methods) {
        if (said(value, 'summary')) continue;
        yield { pointer: place, message: `"${name}" has no summary` };
      }
    },
  }),
  rule('summary-short', ['warning', 'error'], {
    title: 'Summaries are one short line',
    protects: 'Longer summaries are cut off where they are shown.',
    source: openrpc('method-object', 'a short summary of what the method does'),
    options: { max: 150 },
    fix: 'shorten it and move the details to the description',
    bad: `methods:
  - name: getUser
    summary: "Returns a user.\\nOr null, if there is none."`,
    good: `methods:
  - name: getUser
    summary: Returns a user by its id.
    description: "Or null, if there is none."`,
    *check({ methods }, { max }) {
      for (const { value, name, pointer } of methods) {
        const summary = textAt(value, 'summary').trim();
        const at = `${pointer}/summary`;
        if (summary.includes('\n'))
          yield { pointer: at, message: `the summary of "${name}" has more than one line` };
        else if (summary.length > max) {
          const message = `the summary of "${name}" has ${summary.length} characters, more than ${max}`;
          yield { pointer: at, message };
        }
      }
    },
  }),
  rule('param-described', ['off', 'warning'], {
    title: 'Parameters and results are described',
    protects: 'Otherwise, forms and signatures show only the name.',
    source: openrpc('content-descriptor-object', 'summary and description describe the content'),
    fix: 'write a summary, or give the schema a title',
    bad: `methods:
  - name: getUser
    params: [{ name: id, schema: { type: string } }]`,
    good: `methods:
  - name: getUser
    params: [{ name: id, summary: The id of the user., schema: { type: string } }]`,
    *check({ methods, document }) {
      for (const { params, result } of methods) {
        for (const element of result === null ? params : [...params, result]) {
          if (isDescribed(document, element)) continue;
          const own = textAt(element.value, 'name');
          yield { pointer: element.pointer, message: `"${own}" is not described` };
        }
      }
    },
  }),
  rule('schema-described', ['off', 'warning'], {
    title: 'Component schemas have a title or a description',
    protects: 'Shared schemas become types, and editors show their descriptions.',
    source: openrpc(
      'components-object',
      'components are reusable parts, read apart from where they are used',
    ),
    fix: 'write a title and, if it needs more detail, a description',
    bad: `components: { schemas: { Id: { type: string } } }`,
    good: `components: { schemas: { Id: { title: Id of a user, type: string } } }`,
    *check(context) {
      for (const { name, schema, pointer } of ownSchemas(context)) {
        if (!isObject(schema) || '$ref' in schema || said(schema, 'title', 'description')) continue;
        yield { pointer, message: `"${name}" is not described` };
      }
    },
  }),
  rule('method-examples', ['off', 'warning'], {
    title: 'Methods have an example',
    protects: 'An example answers most questions, and mocks and tests use it.',
    source: openrpc(
      'method-object',
      'examples is a list of example pairings, each valid params with their result',
    ),
    fix: 'add an example pairing',
    bad: `methods:
  - name: getHeight
    result: { name: height, schema: true }`,
    good: `methods:
  - name: getHeight
    result: { name: height, schema: true }
    examples: [{ name: now, params: [], result: { name: height, value: 16 } }]`,
    *check({ methods }) {
      for (const { examples, name, place } of methods) {
        if (examples.length > 0) continue;
        yield { pointer: place, message: `"${name}" has no example` };
      }
    },
  }),
  rule('method-tagged', ['off', 'warning'], {
    title: 'Methods have a tag if other methods have one',
    protects: 'A method without a tag is missing from every group.',
    source: openrpc('method-object', 'tags group methods logically'),
    fix: 'give it a tag',
    bad: `methods:
  - name: getUser
    tags: [{ name: users }]
  - name: getPost`,
    good: `methods:
  - name: getUser
    tags: [{ name: users }]
  - name: getPost
    tags: [{ name: posts }]`,
    *check({ methods }) {
      if (methods.every(({ tags }) => tags.length === 0)) return;
      for (const { tags, name, place } of methods) {
        if (tags.length === 0)
          yield { pointer: place, message: `"${name}" has no tag, although other methods do` };
      }
    },
  }),
  rule('deprecated-explained', ['warning', 'error'], {
    title: 'Deprecated elements name a replacement or an end date',
    protects: 'Users have to know what to use instead, and how long they have.',
    source: openrpc('method-object', 'consumers SHOULD refrain from usage of a deprecated method'),
    options: { keys: ['x-sunset', 'x-replaced-by', 'x-deprecated'] as readonly string[] },
    fix: 'name the replacement in the description',
    bad: `methods:
  - name: getUser
    deprecated: true
    summary: Returns a user.`,
    good: `methods:
  - name: getUser
    deprecated: true
    summary: Returns a user; use getAccount instead.`,
    *check({ methods }, { keys }) {
      for (const method of methods) {
        for (const { value, pointer } of [method, ...method.params]) {
          const text = `${textAt(value, 'summary')} ${textAt(value, 'description')}`;
          const isSaid =
            /\b(?:instead|use|replac\w+|supersed\w+|remov\w+|sunset|prefer|migrat\w+|no longer|favou?r|until|since|successor)\b/i;
          if (value['deprecated'] !== true || isSaid.test(text)) continue;
          if (keys.some((key) => key in value)) continue;
          yield {
            pointer,
            message: `"${textAt(value, 'name')}" is deprecated, but no replacement is named`,
          };
        }
      }
    },
  }),
  rule('sunset-date', ['error', 'error'], {
    title: 'x-sunset is a date and is set on deprecated elements only',
    protects:
      'Tools that warn before a method is removed read the date; an invalid date is ignored.',
    source: {
      text: 'RFC 8594 (Sunset), 1 and 5: the point in time after which a resource may be unavailable, announced along with its deprecation',
      url: 'https://www.rfc-editor.org/rfc/rfc8594#section-5',
    },
    fix: 'write it as YYYY-MM-DD, beside deprecated: true',
    bad: `methods:
  - name: getUser
    deprecated: true
    x-sunset: next spring`,
    good: `methods:
  - name: getUser
    deprecated: true
    x-sunset: '2027-03-31'`,
    *check({ methods }) {
      for (const { value, name, pointer } of methods) {
        const date = value['x-sunset'];
        if (date === undefined) continue;
        const at = `${pointer}/x-sunset`;
        const isDate = typeof date === 'string' && /^\d{4}-\d\d-\d\d(?:T.*)?$/.test(date);
        if (!isDate || Number.isNaN(Date.parse(date))) {
          yield { pointer: at, message: `the sunset of "${name}" is not a date` };
        } else if (value['deprecated'] !== true) {
          yield { pointer: at, message: `"${name}" has a sunset date but is not deprecated` };
        }
      }
    },
  }),
];
