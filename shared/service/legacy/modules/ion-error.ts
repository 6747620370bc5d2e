import { IonError } from '../ion-error.ts';

export default IonError;
export { IonError as 'module.exports' };
