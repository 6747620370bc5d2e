#!/usr/bin/env node
// Plain JavaScript: an old Node must be able to read it and say what is wrong.
import { enableCompileCache } from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 7)) {
  process.stderr.write(`portico needs Node 24.7 or newer; this is ${process.versions.node}.
Run "npm ci" once, then "npm start" or "npm run portico -- <command>": they bring their own Node.
`);
  process.exit(78);
}
enableCompileCache?.();
const { main } = await import('../services/cli/main.ts');
process.exitCode = await main(process.argv.slice(2), process.env);
