import { targetNames } from '../targets/names.ts';
import { createComponent } from './component.ts';

/** Every target for `@open-rpc/generator`. */
export default createComponent(targetNames);
