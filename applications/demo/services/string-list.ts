import { Service, type Filter, type Repository, type Routes, type ServiceRequest } from 'portico';

interface Options {
  readonly stringClassName: string;
  readonly dataRepo: Pick<Repository, 'list'>;
}

const fields = ['string_text', 'string_miltilinetext'] as const;

/** Lists objects of one class; each field that is given narrows the list to equal values. */
export default class StringList extends Service<Options> {
  override routes(routes: Routes) {
    routes.add('POST', '/', (request) => this.list(request));
  }

  private async list({ body, user }: ServiceRequest) {
    const given = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
    const parts = fields.flatMap((path): Filter[] => {
      const value = given[path] ?? '';
      if (typeof value !== 'string') throw Object.assign(new Error(`${path} must be text`), { code: 400 });
      return value === '' ? [] : [{ op: 'eq', path, value }];
    });
    const items = await this.options.dataRepo.list(this.options.stringClassName, { op: 'and', parts }, user);
    return items.map((item) => ({
      __class: item.itsClass.code,
      __classTitle: item.itsClass.caption,
      id: item.id,
      string_text: item.get('string_text'),
      string_miltilinetext: item.get('string_miltilinetext'),
      string_formattext: item.get('string_formattext'),
    }));
  }
}
