import { encodeUri, pointerOfFragment, splitPointer } from '../../common/json/pointer.ts';
import type { JsonObject, Schema } from '../../common/json/value.ts';
import type { MethodModel, Model } from '../model/model.ts';
import { createNames, nameKeys } from '../model/names.ts';
import { errorResponse, textsOf, toOperation, type Context } from './operation.ts';
import { toDraft2020 } from './schema-2020.ts';
import { placeServers, type PlacedServers } from './servers.ts';

/** The component for all error responses; a schema of the document with this name is renamed. */
const ERROR = 'JsonRpcError';

/**
 * Describes the methods of a document as OpenAPI 3.1, each as a POST. JSON-RPC sends all of them to
 * one URL; their paths differ by a fragment, which HTTP clients do not send. An error is listed in the
 * response of its HTTP status.
 */
export function toOpenApi(model: Model): JsonObject {
  const keys = nameKeys(
    createNames({
      kind: 'Schema',
      reserved: new Set([ERROR]),
      casing: (name) => name.replaceAll(/[^\w.-]+/g, '_'),
    }),
    [...model.schemas.keys()],
    (key) => /^[\w.-]+$/.test(key),
  );
  const convert = (schema: Schema): Schema =>
    toDraft2020(schema, (reference) => {
      const key = splitPointer(pointerOfFragment(reference) ?? '').at(-1) ?? '';
      return `#/components/schemas/${keys.get(key) ?? key}`;
    });
  const schemas = [...model.schemas.values()].map(
    ({ name, schema }) => [keys.get(name)!, convert(schema)] as const,
  );
  const error = { $ref: `#/components/schemas/${ERROR}` };
  const context: Context = { catalog: model.errors, error, convert };
  const shared = placeServers(model.servers);
  const tags = new Map(
    model.methods.flatMap((method) => method.tags.map((tag) => [tag.name, toTag(tag)] as const)),
  );
  return {
    openapi: '3.1.0',
    info: toInfo(model),
    ...(model.externalDocs !== null && { externalDocs: model.externalDocs }),
    ...(shared.servers.length > 0 && { servers: shared.servers }),
    ...(tags.size > 0 && { tags: [...tags.values()] }),
    paths: Object.fromEntries(model.methods.map((method) => toPath(method, shared, context))),
    components: { schemas: { ...Object.fromEntries(schemas), [ERROR]: errorResponse } },
  };
}

function toInfo({ document, info }: Model): JsonObject {
  const { title, version, description, license, contact, termsOfService } = info;
  const { summary } = document['info'] as JsonObject;
  return {
    title,
    version,
    ...textsOf({ summary: typeof summary === 'string' ? summary : '', description }),
    ...(termsOfService !== null && { termsOfService }),
    ...(contact !== null && { contact }),
    // OpenAPI requires the name.
    ...(typeof license?.['name'] === 'string' && { license }),
  };
}

function toTag({ name, summary, description }: MethodModel['tags'][number]): JsonObject {
  return { name, ...textsOf({ description: description || summary }) };
}

function toPath(
  method: MethodModel,
  shared: PlacedServers,
  context: Context,
): readonly [string, JsonObject] {
  const hasOwn = method.servers.length > 0;
  const { servers, path, parameters } = hasOwn ? placeServers(method.servers) : shared;
  return [
    `${path}#${encodeUri(method.name)}`,
    {
      ...(hasOwn && servers.length > 0 && { servers }),
      ...(parameters.length > 0 && { parameters }),
      post: toOperation(method, context),
    },
  ];
}
