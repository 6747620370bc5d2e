import { Router } from '@koa/router';
import Koa from 'koa';
import { listenKoa } from './listen.ts';

const router = new Router();
router.get('/echo', (ctx) => {
  ctx.body = { message: 'Hello', user: null, method: ctx.method, query: ctx.query, body: null };
});
listenKoa(new Koa().use(router.routes()));
