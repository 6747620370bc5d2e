import { serviceModule } from './module-paths.ts';

const classRight: Readonly<Record<string, string>> = {
  GET: 'read on c:::<class>',
  SEARCH: 'read on c:::<class>',
  POST: 'use on c:::<class>',
  PATCH: 'write on c:::<class>',
  PUT: 'write on c:::<class>',
  DELETE: 'delete on c:::<class>',
};

/** The right a caller needs for a route beside getting in, in words; `''` when there is none. */
export function rightFor(module: string | undefined, method: string, path: string): string {
  switch (module) {
    case serviceModule('crud'):
      return path.endsWith('/_search') ? classRight['SEARCH']! : (classRight[method] ?? '');
    case serviceModule('acceptor'):
      return 'use (new) or write on the class of each object';
    case serviceModule('token'):
      return method === 'DELETE' ? '' : 'use on ws:::gen-ws-token';
    case serviceModule('workflows'):
      return method === 'PATCH'
        ? 'full on the object'
        : method === 'PUT'
          ? 'a role of the transition'
          : 'read on the object';
    default:
      return '';
  }
}
