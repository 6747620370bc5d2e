import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { variableNames } from '#config/environment.ts';
import { environmentName, settingNames } from '#config/resolve-settings.ts';
import { settings } from '#config/settings.ts';
import { roles } from '../../services/role.ts';
import { interpolate, readComposeFile, root } from './compose-file.ts';

const read = (name: string) => readFileSync(join(root, name), 'utf8');
const given = { PUBLIC_URL: 'https://portico.example', APPLICATION: './application' };
const known = new Set<string>([...variableNames.flatMap((name) => [name, `${name}_FILE`]), ...settingNames.map(environmentName)]); // prettier-ignore

describe('docker-compose.yml', () => {
  const { services, secrets, networks, volumes } = readComposeFile(given);
  const ours = Object.entries(services).filter(([, { build }]) => build !== undefined);

  it('does not start without the address that people use and an application', () => {
    const text = read('docker-compose.yml');
    for (const name of ['PUBLIC_URL', 'APPLICATION'])
      expect(() => interpolate(text, { ...given, [name]: '' })).to.throw(name);
  });

  it('runs every role with its own command, in production, and sets only names that Portico knows', () => {
    expect(ours.map(([, { command }]) => command)).to.have.deep.members(roles.map((role) => ['serve', role]));
    for (const [name, { environment = {} }] of ours) {
      expect(environment['NODE_ENV'], name).to.equal('production');
      expect(environment, name).to.not.have.property('PORTICO_ALLOW_DEMO');
      expect(
        Object.keys(environment).filter((variable) => !known.has(variable)),
        name,
      ).to.deep.equal([]);
    }
  });

  it('gives every secret as a file, to those alone who read it', () => {
    for (const [name, { environment = {}, secrets: own = [] }] of Object.entries(services)) {
      expect(
        own.filter((one) => !(one in secrets)),
        name,
      ).to.deep.equal([]);
      const used = `${JSON.stringify(services[name])}${name in scripts ? scripts[name] : ''}`;
      for (const one of own) expect(used, `${name} uses ${one}`).to.match(new RegExp(`run/secrets/${one}|secret\\('${one}'\\)`)); // prettier-ignore
      for (const [variable, value] of Object.entries(environment)) {
        if (/PASSWORD|SECRET|(MONGO|REDIS)_URL/.test(variable)) {
          expect(variable).to.match(/_FILE$/);
          expect(own, `${name} ${variable}`).to.include(value.replace('/run/secrets/', ''));
        }
      }
    }
  });

  it('confines every container: read-only, no capabilities, no root, no new privileges', () => {
    for (const [name, service] of Object.entries(services)) {
      expect(service, name).to.deep.include({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] }); // prettier-ignore
      if (service.build === undefined) expect(service.user, name).to.match(/^[1-9]\d*:[1-9]\d*$/);
    }
  });

  it('publishes nginx alone, and keeps the stores on a network without a way out', () => {
    const published = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name]) => name)).to.deep.equal(['nginx']);
    expect(networks['stores']?.internal).to.equal(true);
    for (const name of ['mongo', 'redis']) expect(services[name]!.networks).to.deep.equal(['stores']);
    expect(services['nginx']!.networks).to.deep.equal(['front']);
  });

  it('gives every container time to stop, and a probe of its health', () => {
    for (const [name, { environment = {}, stop_grace_period = '0s' }] of ours) {
      expect(Number.parseInt(stop_grace_period, 10), name).to.be.greaterThan(Number(environment['STOP_GRACE']));
    }
    for (const name of ['nginx', 'mongo', 'redis'])
      expect(services[name]!.healthcheck?.test, name).to.not.equal(undefined);
  });

  it('mounts only files that are there, and named volumes', () => {
    for (const volume of Object.values(services).flatMap(({ volumes: own = [] }) => own)) {
      const [source = '', , mode] = volume.split(':');
      if (source.startsWith('./containers')) {
        expect(existsSync(join(root, source)), source).to.equal(true);
        expect(mode).to.equal('ro');
      } else if (source !== given.APPLICATION) expect(volumes).to.have.property(source);
    }
  });

  it('.env.example names what the file asks for, and nothing else', () => {
    const asked = new Set(Array.from(read('docker-compose.yml').matchAll(/\$\{(\w+)/g), ([, name]) => name));
    const offered = Array.from(read('.env.example').matchAll(/^(\w+)=/gm), ([, name]) => name);
    expect(offered).to.have.members([...asked]);
  });
});

const scripts: Readonly<Record<string, string>> = {
  mongo: ['start.sh', 'initiate.js', 'ready.js'].map((name) => read(`containers/mongo/${name}`)).join('\n'),
  redis: read('containers/redis/start.sh'),
  nginx: read('containers/nginx/nginx.conf'),
};

describe('Dockerfile', () => {
  const text = read('Dockerfile');
  const instructions = DockerfileParser.parse(text).getInstructions();
  const all = (keyword: string) => instructions.filter((one) => one.getKeyword() === keyword);
  const last = (keyword: string) => all(keyword).at(-1)?.getArgumentsContent() ?? '';

  it('passes a linter', () => {
    const problems = (content: string) =>
      validate(content).map(({ message, range }) => `${range.start.line + 1}: ${JSON.stringify(message)}`);
    expect(problems(text)).to.deep.equal([]);
    expect(problems(text.replace('ENTRYPOINT', 'ENTRIPOINT'))).to.not.deep.equal([]);
  });

  it('runs as a user who is not root and is given as a number', () => {
    expect(last('USER')).to.match(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
  });

  it('ends in an image of Debian with the pinned Node alone: no package manager of Node, nothing installed', () => {
    const [, ...ofLast] = text.split(/^FROM debian:\w+-slim$/m);
    expect(ofLast).to.have.length(1);
    expect(ofLast[0]).to.not.match(/\b(apt-get|npm|npx|curl|wget)\b/);
    const pinned = (JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> }).optionalDependencies; // prettier-ignore
    const major = Object.values(pinned)[0]!.split('.')[0];
    expect(text).to.match(new RegExp(`^FROM node:${major}-`, 'm'));
    expect(text).to.include('--omit=dev');
  });

  it('starts the command itself, stops by SIGTERM and asks for its own health', () => {
    expect(last('ENTRYPOINT')).to.equal('["/portico/bin/portico.js"]');
    expect(statSync(join(root, 'bin/portico.js')).mode & 0o111).to.not.equal(0);
    expect(last('STOPSIGNAL')).to.equal('SIGTERM');
    expect(last('HEALTHCHECK')).to.match(/CMD \["node", "-e", .*\/healthz/);
  });

  it('copies what the build context lets through, and no demo, test or secret', () => {
    const allowed = read('.dockerignore').split('\n').filter((line) => line.startsWith('!')).map((line) => line.slice(1).replace(/\/$/, '')); // prettier-ignore
    const sources = Array.from(text.matchAll(/^COPY (?!--from)(.+) \S+$/gm), ([, words]) => words!.split(' ')).flat();
    expect(new Set(sources)).to.deep.equal(new Set(allowed));
    for (const name of allowed) expect(existsSync(join(root, name)), name).to.equal(true);
    expect(allowed).to.not.include.members(['applications']).and.not.include.members(['test']);
  });

  it('sets only names that Portico knows', () => {
    const names = all('ENV').flatMap((one) => Array.from((one.getArgumentsContent() ?? '').matchAll(/(\w+)=/g), ([, name]) => name!)); // prettier-ignore
    expect(names).to.include('NODE_ENV');
    expect(names.filter((name) => !known.has(name))).to.deep.equal([]);
  });
});

describe('containers/', () => {
  it('make-secrets makes every secret of docker-compose.yml once, at random, and never writes over one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'portico-secrets-'));
    const script = join(folder, 'make-secrets');
    try {
      const { secrets } = readComposeFile(given);
      mkdirSync(folder, { recursive: true });
      copyFileSync(join(root, 'containers/make-secrets'), script);
      const made = () => {
        execFileSync(script, ['--self-signed', 'portico.example'], { stdio: 'ignore' });
        const names = readdirSync(join(folder, 'secrets'));
        return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, 'secrets', name), 'utf8')]));
      };
      const first = made();
      expect(Object.values(secrets).map(({ file }) => file.replace('containers/secrets/', ''))).to.have.members(Object.keys(first)); // prettier-ignore
      expect(made()).to.deep.equal(first);
      expect(first['portico-secret']!.length).to.be.at.least(32);
      expect(first['administrator-password']!.length).to.be.at.least(24);
      expect(first['mongo-url']).to.include(`:${first['mongo-password']}@`);
      expect(first['mongo-key']!.length).to.be.within(6, 1024);
      expect(new Set(Object.values(first)).size).to.equal(Object.keys(first).length);
      expect(statSync(join(folder, 'secrets')).mode & 0o777).to.equal(0o700);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('nginx lets through at least what Portico takes', () => {
    const conf = read('containers/nginx/nginx.conf');
    const sizes = Array.from(
      conf.matchAll(/client_max_body_size (\d+)m/g),
      ([, megabytes]) => Number(megabytes) * 2 ** 20,
    );
    const largest = 2 * settings['http.fileLimit'].fallback + settings['http.bodyLimit'].fallback;
    expect(Math.min(...sizes)).to.be.at.least(largest);
    const lines = Number(/large_client_header_buffers \d+ (\d+)k/.exec(conf)![1]) * 1024;
    expect(lines).to.be.at.least(settings['http.urlLimit'].fallback);
    expect(Number(/proxy_read_timeout (\d+)s/.exec(conf)![1])).to.be.greaterThan(settings['rest.handlerTimeout'].fallback); // prettier-ignore
    const idle = Array.from(conf.matchAll(/^ {4}keepalive_timeout (\d+)s/gm), ([, seconds]) => Number(seconds));
    expect(Math.max(...idle)).to.be.lessThan(65);
  });

  it('scripts are in the language of their shell', () => {
    execFileSync('sh', ['-n', join(root, 'containers/make-secrets')]);
    execFileSync('sh', ['-n', join(root, 'containers/redis/start.sh')]);
    execFileSync('bash', ['-n', join(root, 'containers/mongo/start.sh')]);
    for (const name of ['initiate.js', 'ready.js'])
      execFileSync(process.execPath, ['--check', '--input-type=commonjs'], { input: read(`containers/mongo/${name}`) });
  });
});
