/** No value for a schema exists, or none could be generated within limits. */
export class UnsatisfiableSchemaError extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'UnsatisfiableSchemaError';
  }
}
