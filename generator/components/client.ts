import { createComponent } from './component.ts';

/** The target `client` for `@open-rpc/generator`. */
export default createComponent(['client']);
