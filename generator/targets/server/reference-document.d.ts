import type { ContentDescriptorObject, MethodObject, OpenrpcDocument } from '@open-rpc/meta-schema';

/** A document in the form that schema-utils-js and server-js read. */
export interface ReferenceDocument extends OpenrpcDocument {
  readonly methods: ReferenceMethod[];
}

export interface ReferenceMethod extends MethodObject {
  readonly result: ContentDescriptorObject;
}

/**
 * Returns the error (`x-error`) of the first example of a method with these params, by position or by
 * name; undefined if that example has a result.
 */
export function findErrorExample(
  document: object,
  name: string,
  params: unknown,
): { readonly code: number; readonly message: string; readonly data?: unknown } | undefined;

export function referenceDocument(document: object): ReferenceDocument;
