import { createComponent } from './component.ts';

/** The target `types` for `@open-rpc/generator`. */
export default createComponent(['types']);
