import { AppError } from '#errors.ts';
import type { Item, Repository } from '#data/repository.ts';
import type { Class } from '#meta/class.ts';
import { parseEager, parseFields } from '#query/attribute-lists.ts';
import { Service, type Envelope, type ErrorFace, type Routes, type ServiceRequest } from '#service/index.ts';
import { objectIn, valuesIn } from './body.ts';
import { answerFile } from './file-answer.ts';
import { onceByKey } from './idempotency.ts';
import { answerList } from './list.ts';
import { repositoryFor, type CrudOptions } from './options.ts';
import { etagOf, expectedRevision, isKnown, requiresIfMatch } from './revisions.ts';

/** Single objects and lists of any class, with the caller's rights (docs/crud.md). */
export class Crud extends Service<CrudOptions> {
  override readonly errorFace: ErrorFace = 'problem';

  override routes(routes: Routes): void {
    routes.add('GET', '/:class', (request) => this.list(request, {}));
    routes.add('SEARCH', '/:class', (request) => this.search(request));
    routes.add('POST', '/:class/_search', (request) => this.search(request));
    routes.add('POST', '/:class', (request) => this.create(request));
    routes.add('GET', '/:class/:id', (request) => this.get(request));
    routes.add('PATCH', '/:class/:id', (request) => this.edit(request));
    routes.add('PUT', '/:class/:id', (request) => this.edit(request));
    routes.add('DELETE', '/:class/:id', (request) => this.remove(request));
    routes.add('GET', '/:class/:id/:property', (request) => this.file(request));
    routes.add('GET', '/:class/:id/:property/:file', (request) => this.file(request));
  }

  private list(request: ServiceRequest, body: Parameters<typeof answerList>[1]): Promise<Envelope> {
    const { metaRepo: classes, settings } = this.options;
    return answerList(request, body, this.classOf(request), {
      repo: this.repo,
      classes,
      maxCount: settings('rest.maxCount'),
    });
  }

  private search(request: ServiceRequest): Promise<Envelope> {
    this.classOf(request);
    return this.list(request, request.body === undefined ? {} : objectIn(request.body));
  }

  private async get(request: ServiceRequest): Promise<Envelope> {
    const item = await this.find(request, this.eagerOf(request));
    if (isKnown(request, item)) return { status: 304, headers: { ETag: etagOf(item) } };
    return this.answer(request, item);
  }

  private async create(request: ServiceRequest): Promise<Envelope> {
    const itsClass = this.classOf(request);
    const values = valuesIn(request);
    const eager = this.eagerOf(request);
    return onceByKey(request, this.options, async () => {
      const item = await this.repo.create(itsClass.code, values, { ...this.writing(request), eager });
      const [path = ''] = request.originalUrl.split('?');
      const location = `${path.replace(/\/+$/, '')}/${encodeURIComponent(item.id)}`;
      return this.answer(request, item, { Location: location });
    });
  }

  private async edit(request: ServiceRequest): Promise<Envelope> {
    const itsClass = this.classOf(request);
    const values = valuesIn(request);
    const eager = this.eagerOf(request);
    const expect = await this.expected(request, itsClass);
    const writing = { ...this.writing(request), expect, eager };
    return this.answer(request, await this.repo.edit(itsClass.code, idIn(request), values, writing));
  }

  private async remove(request: ServiceRequest): Promise<Envelope> {
    const itsClass = this.classOf(request);
    const expect = await this.expected(request, itsClass);
    await this.repo.remove(itsClass.code, idIn(request), { as: request.user ?? undefined, expect });
    return { status: 200 };
  }

  private async file(request: ServiceRequest): Promise<Envelope> {
    return answerFile(request, await this.find(request, []), this.options.files);
  }

  private get repo(): Repository {
    return repositoryFor(this.options);
  }

  private classOf({ params }: ServiceRequest): Class {
    const itsClass = this.options.metaRepo.get(params['class'] ?? '');
    if (!itsClass || itsClass.isStruct) throw new AppError('not_found', `no class ${params['class']}`);
    return itsClass;
  }

  private async find(request: ServiceRequest, eager: readonly (readonly string[])[]): Promise<Item> {
    const itsClass = this.classOf(request);
    const item = await this.repo.get(itsClass.code, idIn(request), { eager }, request.user);
    if (!item) throw new AppError('not_found', `${itsClass.code} ${idIn(request)}`);
    return item;
  }

  private writing({ user }: ServiceRequest) {
    return { as: user ?? undefined, unknown: this.options.settings('data.unknownAttributes') };
  }

  private expected(request: ServiceRequest, itsClass: Class): Promise<number | undefined> {
    const isRequired = requiresIfMatch(itsClass, this.options.settings('data.requireIfMatch'));
    return expectedRevision(request, itsClass, idIn(request), { repo: this.repo, isRequired });
  }

  private eagerOf(request: ServiceRequest): readonly (readonly string[])[] {
    return parseEager(request.query['_eager'], this.classOf(request), this.options.metaRepo);
  }

  private answer(request: ServiceRequest, item: Item, headers: Record<string, string> = {}): Envelope {
    const fields = parseFields(request.query['_fields'], item.itsClass);
    return { data: item.present({ fields }), headers: { ...headers, ETag: etagOf(item) } };
  }
}

const idIn = ({ params }: ServiceRequest): string => params['id'] ?? '';
