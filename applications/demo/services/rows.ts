/** A converter of the acceptor: `{"rows": [...]}` in and out. Named by the header `svc-converter: rows`. */
export default class Rows {
  parse(data: unknown): unknown {
    if (typeof data === 'object' && data !== null && 'rows' in data) return data.rows;
    throw Object.assign(new Error('A body with "rows" is expected'), { code: 400 });
  }

  respond(objects: readonly unknown[]): { rows: readonly unknown[] } {
    return { rows: objects };
  }
}
