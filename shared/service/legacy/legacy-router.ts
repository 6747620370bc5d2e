import type { Envelope, Handler, ServiceRequest } from '../request.ts';
import type { Routes } from '../service.ts';
import { legacyAnswer } from './legacy-answer.ts';
import { legacyRequest } from './legacy-request.ts';

export type LegacyHandler = (request: ServiceRequest) => unknown;
type ResponseHandler = (request: ServiceRequest, response: LegacyResponse, next: (error?: unknown) => void) => unknown;

/** The few methods of a response that overridden `route` functions use. */
export interface LegacyResponse {
  status(code: number): LegacyResponse;
  set(name: string | Readonly<Record<string, string>>, value?: string): LegacyResponse;
  send(data?: unknown): void;
  json(data: unknown): void;
  end(data?: unknown): void;
  sendStatus(code: number): void;
}

const words = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'search'] as const;
type Word = (typeof words)[number];

/** What `_route(router)` and `route(router)` are given; `add` is for `addHandler`. */
export type LegacyRouter = { add(method: string, path: string, handler: LegacyHandler): void } & {
  readonly [word in Word]: (path: string, handler: ResponseHandler, ...more: readonly unknown[]) => void;
};

/** Registers old-style handlers as routes: they see the old request, and their answer is sent the old way. */
export function createLegacyRouter(routes: Routes): LegacyRouter {
  const add = (method: string, path: string, handler: LegacyHandler): void => {
    if (typeof method !== 'string' || typeof path !== 'string' || typeof handler !== 'function')
      throw new TypeError('addHandler(router, path, method, handler) needs a path, a method word and a function');
    const run: Handler = async (request) => legacyAnswer(await handler(legacyRequest(request)));
    routes.add(method.toUpperCase(), pathHere(path), run);
  };
  const byWord =
    (word: Word) =>
    (path: string, handler: ResponseHandler, ...more: readonly unknown[]) => {
      if (more.length > 0) throw new TypeError(`router.${word}('${path}') takes one handler here`);
      add(word, path, handler.length > 1 ? (request) => runWithResponse(handler, request) : (handler as LegacyHandler));
    };
  return { add, ...(Object.fromEntries(words.map((word) => [word, byWord(word)])) as Omit<LegacyRouter, 'add'>) };
}

/** Old patterns in the words of the router here: `/:id?` and `/*`. */
const pathHere = (path: string): string => path.replace(/\/:(\w+)\?/g, '{/:$1}').replace(/\/\*(?=$|\/)/g, '/*path');

const runWithResponse = (handler: ResponseHandler, request: ServiceRequest): Promise<Envelope> =>
  new Promise((resolve, reject) => {
    const headers: Record<string, string> = {};
    let status = 200;
    const answer = (data: unknown): void => resolve({ data, headers, status });
    const response: LegacyResponse = {
      status: (code) => ((status = code), response),
      set: (name, value) => (Object.assign(headers, typeof name === 'string' ? { [name]: value } : name), response),
      send: answer,
      end: answer,
      json: (data) => {
        headers['Content-Type'] = 'application/json; charset=utf-8';
        answer(JSON.stringify(data));
      },
      sendStatus: (code) => resolve({ data: '', headers, status: code }),
    };
    const next = (error?: unknown): void => reject(error ?? Object.assign(new Error('Not found'), { code: 404 }));
    Promise.resolve(handler(request, response, next)).catch(reject);
  });
