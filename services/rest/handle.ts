import { AppError } from '#errors.ts';
import type { createBodyReader } from '#http/body.ts';
import { asBadRequestPage, asProblem, asText, renderError, type Face } from '#http/render-errors.ts';
import { toServiceError } from '#service/errors.ts';
import type { ErrorFace } from '#service/index.ts';
import { answer } from './answer.ts';
import { currentRequest } from './current-request.ts';
import { runWithProgress } from './progress.ts';
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
      const result = await runWithProgress(ctx, handlerTimeout, async (leaving) => {
        const parsed = await readBody(ctx);
        const request = new RestRequest(ctx, { path, params: found.params, user, leaving, parsed });
        return currentRequest.run(ctx.state.id, () => found.handler(request));
      });
      answer(ctx, result);
    } catch (thrown) {
      renderError(ctx, toServiceError(thrown), faces[router.service.errorFace]);
    }
  };

const refusal = (found: { missing: 'path' } | { missing: 'method'; allowed: readonly string[] }): AppError =>
  found.missing === 'path'
    ? new AppError('not_found')
    : new AppError('method_not_allowed', undefined, { headers: { allow: found.allowed.join(', ') } });
