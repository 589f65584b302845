import { createComponent } from './component.ts';

/** The target `methods` for `@open-rpc/generator`. */
export default createComponent(['methods']);
