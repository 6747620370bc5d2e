import { normalize } from '../normalize.ts';

export default normalize;
export { normalize as 'module.exports' };
