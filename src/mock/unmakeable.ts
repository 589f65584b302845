/** A schema has no value, or none that could be made within bounds. */
export class Unmakeable extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'Unmakeable';
  }
}
