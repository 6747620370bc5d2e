import { expect } from 'chai';
import { AppError } from '#errors.ts';
import { toServiceError } from './errors.ts';

describe('toServiceError', () => {
  const face = (thrown: unknown) => {
    const { status, publicText } = toServiceError(thrown);
    return [status, publicText];
  };

  it('gives a numeric code from 400 to 499 as the status, with the message as text', () => {
    expect(face({ code: 404, message: 'no such row' })).to.deep.equal([404, 'no such row']);
    expect(face(Object.assign(new Error('teapot'), { code: 418 }))).to.deep.equal([418, 'teapot']);
    expect(face({ code: 400 })[0]).to.equal(400);
    expect(face({ code: 400 })[1]).to.not.equal('');
  });

  for (const code of ['front-end.403', 'rest.backend.403', 'data-repo.noperm', 'auth.forbid'])
    it(`answers 403 with the text for ${code}`, () =>
      expect(face({ code, message: 'not yours' })).to.deep.equal([403, 'not yours']));

  for (const code of ['rest.backend.404', 'data-repo.inf', 'meta-repo.nc'])
    it(`answers 404 with the text for ${code}`, () =>
      expect(face({ code, message: 'gone' })).to.deep.equal([404, 'gone']));

  for (const thrown of [
    new Error('db password is x'),
    'text',
    undefined,
    null,
    { code: 500, message: 'x' },
    { code: '404' },
    { code: 404.5 },
    { code: 'ENOENT' },
  ])
    it(`says nothing of ${JSON.stringify(thrown)} but Internal server error`, () =>
      expect(face(thrown)).to.deep.equal([500, 'Internal server error']));

  it('leaves an AppError as it is', () => {
    const error = new AppError('stale');
    expect(toServiceError(error)).to.equal(error);
  });
});
