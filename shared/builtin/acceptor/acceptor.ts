import { AppError } from '#errors.ts';
import type { Repository } from '#data/repository.ts';
import { Service, type Envelope, type ErrorFace, type Routes, type ServiceRequest } from '#service/index.ts';
import { acceptAll, acceptEach, type AcceptDeps, type AcceptHow } from './accept.ts';
import { converterFor, parseBy, respondBy } from './converter.ts';
import type { AcceptorOptions } from './options.ts';
import { acceptLines } from './stream.ts';

/** Stores objects of any classes in one call, with the caller's rights (docs/acceptor.md). */
export class Acceptor extends Service<AcceptorOptions> {
  override readonly errorFace: ErrorFace = 'page';

  override routes(routes: Routes): void {
    routes.add('POST', '/', (request) => this.accept(request));
  }

  private async accept(request: ServiceRequest): Promise<Envelope> {
    const { settings, metaRepo: classes } = this.options;
    const type = request.get('content-type').split(';')[0]!.trim().toLowerCase();
    const converter = converterFor(request, this.options);
    const mode = modeOf(request) ?? settings('acceptor.mode');
    const how: AcceptHow = { as: request.user ?? undefined, dryRun: isSet(request.query['_dryRun']) };
    const deps: AcceptDeps = { repo: this.repo, classes, unknown: settings('data.unknownAttributes') };
    if (type === 'application/x-ndjson') {
      if (modeOf(request) === 'atomic') throw refusal('Lines are stored each for itself: _mode=atomic is not possible');
      const limits = { line: settings('http.bodyLimit'), depth: settings('http.maxDepth') };
      const data = acceptLines(request, converter, limits, how, deps);
      return { data, headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8' } };
    }
    if (!/^application\/([\w.-]+\+)?json$/.test(type)) throw refusal('Content-Type must be application/json');
    if (request.body === undefined) throw refusal('The body must be a list of objects');
    const sent = await parseBy(converter, request.body, request.log);
    if (sent.length > settings('http.maxItems')) throw new AppError('too_large', `${sent.length} objects`);
    if (mode === 'atomic') return { data: await respondBy(converter, await acceptAll(sent, how, deps)) };
    const results = await acceptEach(sent, how, deps);
    if (!converter.respond) return { status: 207, data: results };
    const stored = results.flatMap((one) => ('object' in one ? [one.object] : []));
    const answer = await respondBy(converter, stored);
    const objects =
      Array.isArray(answer) && answer.length === stored.length ? (answer as readonly unknown[]).values() : undefined;
    const converted = results.map((one) =>
      'object' in one && objects ? { ...one, object: objects.next().value } : one,
    );
    return { status: 207, data: converted };
  }

  private get repo(): Repository {
    const { access, dataRepo, securedDataRepo } = this.options;
    return access === 'unchecked' ? dataRepo : securedDataRepo;
  }
}

function modeOf({ query }: ServiceRequest): 'atomic' | 'partial' | undefined {
  const mode = query['_mode'];
  if (mode === undefined || mode === 'atomic' || mode === 'partial') return mode;
  throw refusal('_mode is atomic or partial');
}

const isSet = (raw: unknown): boolean => raw === '1' || raw === 'true';

const refusal = (publicText: string): AppError => new AppError('bad_request', undefined, { publicText });
