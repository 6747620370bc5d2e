/** Whether an error is the system's one of that code, such as `ENOENT`. */
export const isErrno = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
