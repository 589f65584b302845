/** A result whose integers may come as `Wide`, where they are beyond 2^53. */
export type Widen<Type, Wide> = [Wide] extends [never]
  ? Type
  : Type extends number
    ? Type | Wide
    : Type extends object
      ? { [Key in keyof Type]: Widen<Type[Key], Wide> }
      : Type;
