import { createComponent } from './component.ts';

/** The target `python` for `@open-rpc/generator`. */
export default createComponent(['python']);
