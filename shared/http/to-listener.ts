import type { RequestListener } from 'node:http';
import type Koa from 'koa';

/** A Koa app as Node's server takes it; Koa itself answers what fails in it. */
export function toListener<State>(app: Koa<State>): RequestListener {
  const answer = app.callback();
  return (req, res) => {
    void answer(req, res);
  };
}
