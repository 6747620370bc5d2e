import { mongo } from 'mongoose';
import { AppError } from '#errors.ts';

const away = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoClientClosedError,
  mongo.MongoExpiredSessionError,
  mongo.MongoOperationTimeoutError,
];
const awayNames = new Set(['MongoWaitQueueTimeoutError', 'MongoPoolClosedError', 'MongoPoolClearedError']); // not exported

/**
 * What a server says when it cannot serve now: no primary, stopping, out of time or space, credentials refused
 * (https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml).
 */
const awayCodes = new Set([
  6, 7, 13, 18, 24, 50, 64, 79, 89, 91, 100, 112, 133, 189, 202, 251, 262, 317, 358, 384, 9001, 10107, 11600, 11602,
  13435, 13436, 14031,
]);

/** Whatever keeps MongoDB from answering as `unavailable`; a fault of ours stays what it is. */
export function toFailure(error: unknown): unknown {
  const reason = error instanceof mongo.MongoBulkWriteError ? reasonOf(error) : error;
  return reason instanceof mongo.MongoError && isAway(reason) ? unavailable(reason.message, error) : error;
}

/** A bulk write wraps what kept it from being sent. */
function reasonOf(error: mongo.MongoBulkWriteError): unknown {
  const wrapped: unknown = error.errorResponse;
  return wrapped instanceof Error ? wrapped : error;
}

function isAway(error: mongo.MongoError): boolean {
  if (away.some((kind) => error instanceof kind) || awayNames.has(error.name)) return true;
  if (awayCodes.has(Number(error.code))) return true;
  return error.hasErrorLabel('RetryableWriteError') || error.hasErrorLabel('TransientTransactionError');
}

export const unavailable = (why: string, cause?: unknown): AppError =>
  new AppError('unavailable', `MongoDB: ${why}`, { headers: { 'Retry-After': '5' }, cause });

/** A unique index refused, the one of the ids too. */
export const isDuplicate = (error: unknown): boolean => error instanceof mongo.MongoError && error.code === 11000;

/** The collection is there already. */
export const isThere = (error: unknown): boolean => error instanceof mongo.MongoError && error.code === 48;

/** There is no such collection. */
export const isMissing = (error: unknown): boolean => error instanceof mongo.MongoError && error.code === 26;
