import { AppError } from '#errors.ts';

/** `<code>: <detail>` of the AppError that a call rejects with; fails for any other outcome. */
export async function thrown(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof AppError) return `${error.code}: ${error.message}`;
    throw error;
  }
  throw new Error('nothing was thrown');
}
