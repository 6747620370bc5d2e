import { v4 } from 'uuid';

export default v4;
export { v4 as 'module.exports' };
