import { Agent } from 'node:http';
import httpProxy from 'http-proxy';
import { listen, options } from './listen.ts';

const { target } = options() as { target: string };
const proxy = httpProxy.createProxyServer({ target, agent: new Agent({ keepAlive: true }) });
listen((req, res) => proxy.web(req, res));
