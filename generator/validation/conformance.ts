import { parseOpenRPCDocument } from '@open-rpc/schema-utils-js';
import { isPattern } from '../json/pattern.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import type { Problem } from '../problem/problem.ts';
import { createAjv } from '../violations/create-ajv.ts';
import { factsOf, type Fact } from '../violations/facts.ts';
import {
  findingsOf,
  type CompiledValidator,
  type Finding,
} from '../violations/runtime/violations.js';
import { DOCUMENT_ID, metaSchemaOf } from './meta-schema.ts';

/** A problem, before it is known where in which text it is. */
export type Complaint = Pick<Problem, 'what' | 'mend'> & { readonly pointer: string };

const MAX_COMPLAINTS = 1000;

/**
 * Everything in which a document is not what the OpenRPC specification says. schema-utils-js decides
 * whether there is anything; what it is, and where, is found by validating once more.
 */
export async function findViolations(document: Json): Promise<readonly Complaint[]> {
  const unreadable = findUnreadable(document);
  if (unreadable !== null) return [unreadable];
  const problem = await complaintOfSchemaUtils(document as JsonObject);
  if (problem === null) return [];
  const found = validate(document as JsonObject);
  return found.length > 0 ? found : [problem];
}

function findUnreadable(document: Json): Complaint | null {
  const mend = 'see https://spec.open-rpc.org';
  if (!isObject(document)) return { what: 'not an OpenRPC document: no object', mend, pointer: '' };
  const { openrpc } = document;
  if (openrpc === undefined) {
    return {
      what: 'not an OpenRPC document: "openrpc", the version of the specification, is missing',
      mend: 'add it, such as "openrpc": "1.3.2"',
      pointer: '',
    };
  }
  if (typeof openrpc === 'string' && /^1\.[0-4](?:\.|$)/.test(openrpc)) return null;
  const what = `version ${JSON.stringify(openrpc)} of OpenRPC is not supported`;
  return { what, mend: 'use 1.0 to 1.4, such as "1.3.2"', pointer: '/openrpc' };
}

async function complaintOfSchemaUtils(document: JsonObject): Promise<Complaint | null> {
  const clone = structuredClone(document) as Parameters<typeof parseOpenRPCDocument>[0];
  try {
    await parseOpenRPCDocument(clone, { dereference: false });
    return null;
  } catch (error) {
    // Its own messages span many lines; an extension it cannot apply is told between two of dashes.
    const { message = '' } = error as Error;
    const reason = /-----\n(?:Error: |TypeError: )?(.*)\n-----/.exec(message)?.[1];
    const what = reason ?? 'it does not follow the specification';
    const pointer = reason === undefined ? '' : '/x-extensions';
    return { what, mend: 'see https://spec.open-rpc.org', pointer };
  }
}

function validate(document: JsonObject): readonly Complaint[] {
  const ajv = createAjv({ formats: { regex: isPattern, uri: (text) => URL.canParse(text) } });
  const facts: Record<string, Fact> = {};
  try {
    for (const { id, schema } of metaSchemaOf(document)) {
      ajv.addSchema(schema as object, id);
      ajv.schemas[id]!.schemaPath = `${id}#`;
      for (const [path, { keys }] of factsOf(schema, `${id}#`)) if (keys) facts[path] = { keys };
    }
  } catch {
    return [];
  }
  const check = ajv.getSchema(DOCUMENT_ID) as CompiledValidator;
  if (check(document)) return [];
  const findings = findingsOf(check.errors ?? [], {
    facts,
    value: document,
    most: MAX_COMPLAINTS,
  });
  return findings.map(toComplaint);
}

function toComplaint({ path, keyword, expected, what }: Finding): Complaint {
  return { what, mend: mendFor(keyword, expected), pointer: path };
}

function mendFor(keyword: string, expected: string): string {
  if (keyword === 'required') return 'add it';
  if (keyword === 'additionalProperties') return 'remove it, or start its name with "x-"';
  return `make it ${expected}`;
}
