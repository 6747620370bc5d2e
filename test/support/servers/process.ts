import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A server process of a test: ended by its pid, held and let go by signals. */
export interface ServerProcess {
  readonly pid: number;
  /** Held: takes connections and says nothing, as a machine that hangs. */
  hold(): void;
  letGo(): void;
  /** Without warning. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a program; rejects when there is none. What it prints is shown when it ends before it was told to. */
export async function startProcess(program: string, args: readonly string[]): Promise<ServerProcess> {
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: false });
  let printed = '';
  let expected = false;
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk: Buffer) => (printed = (printed + chunk.toString()).slice(-2000)));
  }
  await once(child, 'spawn').catch((error: unknown) => {
    throw new Error(`${program} cannot be started: is its Debian package installed?`, { cause: error });
  });
  const ended = once(child, 'exit').then(([code, signal]: unknown[]) => {
    process.off('exit', last);
    if (!expected) process.stderr.write(`${program} ended (${String(code ?? signal)}):\n${printed}\n`);
  });
  const last = (): void => void child.kill('SIGKILL'); // also when the tests are interrupted
  process.on('exit', last);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    expected = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGCONT');
    child.kill(signal);
    await ended;
  };
  return {
    pid: child.pid ?? 0,
    hold: () => void child.kill('SIGSTOP'),
    letGo: () => void child.kill('SIGCONT'),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}
