import { createComponent } from './component.ts';

/** The target `errors` for `@open-rpc/generator`. */
export default createComponent(['errors']);
