import type { ContentDescriptorObject, MethodObject, OpenrpcDocument } from '@open-rpc/meta-schema';

/** A document in the form that schema-utils-js and server-js read. */
export interface ReferenceDocument extends OpenrpcDocument {
  readonly methods: ReferenceMethod[];
}

export interface ReferenceMethod extends MethodObject {
  readonly result: ContentDescriptorObject;
}

export function referenceDocument(document: object): ReferenceDocument;
