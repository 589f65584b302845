import { createComponent } from './component.ts';

/** The target `validators` for `@open-rpc/generator`. */
export default createComponent(['validators']);
