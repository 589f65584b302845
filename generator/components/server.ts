import { createComponent } from './component.ts';

/** The target `server` for `@open-rpc/generator`. */
export default createComponent(['server']);
