import { v1 } from 'uuid';

export default v1;
export { v1 as 'module.exports' };
