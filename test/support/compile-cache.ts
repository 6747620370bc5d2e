import { enableCompileCache } from 'node:module';

// types are stripped once, not once for each file of each run
enableCompileCache();
