import type { ContentDescriptorObject, MethodObject, OpenrpcDocument } from '@open-rpc/meta-schema';

/** A document as schema-utils-js and server-js read it: references followed, schemas whole. */
export interface ReferenceDocument extends OpenrpcDocument {
  readonly methods: ReferenceMethod[];
}

export interface ReferenceMethod extends MethodObject {
  readonly result: ContentDescriptorObject;
}

export function referenceDocument(document: object): ReferenceDocument;
