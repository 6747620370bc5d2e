import { AppError } from '#errors.ts';
import { hasBody, noBody, type createBodyReader, type ParsedBody } from '#http/body.ts';
import { asBadRequestPage, asProblem, asText, renderError, type Face } from '#http/render-errors.ts';
import { toServiceError } from '#service/errors.ts';
import type { ErrorFace, ServiceResult } from '#service/index.ts';
import { answer } from './answer.ts';
import { currentRequest } from './current-request.ts';
import { Departure, withProgress } from './progress.ts';
import type { RestMiddleware } from './state.ts';
import { RestRequest } from './rest-request.ts';

const faces: Readonly<Record<ErrorFace, Face>> = { text: asText, problem: asProblem, page: asBadRequestPage };

/** Everything inside a service: 404, 405, the body (400, 413, 415), the service's handler; errors wear the service's face. */
export const handle =
  (readBody: ReturnType<typeof createBodyReader>, handlerTimeout: number): RestMiddleware =>
  async (ctx) => {
    const { router, path, user } = ctx.state.call;
    try {
      const found = router.find(ctx.method, path);
      if ('missing' in found) throw refusal(found);
      const leaving = new Departure(ctx);
      const run = (parsed: ParsedBody): ServiceResult => {
        const request = new RestRequest(ctx, { path, params: found.params, user, leaving, parsed });
        return currentRequest.run(ctx.state.id, () => found.handler(request));
      };
      // what settles at once needs no watching
      const given = hasBody(ctx) ? readBody(ctx).then(run) : run(noBody);
      const result = isThenable(given)
        ? await withProgress(ctx, handlerTimeout, leaving, Promise.resolve(given))
        : given;
      answer(ctx, result);
    } catch (thrown) {
      renderError(ctx, toServiceError(thrown), faces[router.service.errorFace]);
    }
  };

/** Old-style code brings promises of its own. */
const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

const refusal = (found: { missing: 'path' } | { missing: 'method'; allowed: readonly string[] }): AppError =>
  found.missing === 'path'
    ? new AppError('not_found')
    : new AppError('method_not_allowed', undefined, { headers: { allow: found.allowed.join(', ') } });
