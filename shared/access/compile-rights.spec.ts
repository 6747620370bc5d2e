import { expect } from 'chai';
import type { Class } from '#meta/class.ts';
import { compileRights } from './compile-rights.ts';
import type { Role } from './roles.ts';

const role = (permissions: Role['permissions'], id = 'r'): Role => ({ id, name: id, permissions });

/** person ← employee ← manager; only what rights look at. */
function hierarchy() {
  const make = (code: string, ancestor?: Class): Class => {
    const descendants: Class[] = [];
    const family: string[] = [code];
    const made = { code, ancestor, descendants, family } as unknown as Class;
    if (ancestor) {
      (ancestor.descendants as Class[]).push(made);
      for (let one: Class | undefined = ancestor; one; one = one.ancestor) (one.family as string[]).push(code);
    }
    return made;
  };
  const person = make('person@demo');
  const employee = make('employee@demo', person);
  return { person, employee, manager: make('manager@demo', employee), other: make('other@demo') };
}
const rightsFrom = (permissions: Role['permissions'], named: readonly string[] = []) =>
  compileRights([role(permissions)], new Set(named), undefined);

describe('rights of a set of roles', () => {
  const { person, employee, manager, other } = hierarchy();

  it('gives everything by full on *, and nothing without a role', () => {
    const admin = rightsFrom({ '*': ['full'] });
    const nobody = rightsFrom({});
    expect(admin.mayObject('delete', person, '1')).to.equal(true);
    expect(admin.mayClass('use', other)).to.equal('all');
    expect(nobody.mayObject('read', person, '1')).to.equal(false);
    expect(nobody.mayClass('read', person)).to.equal('none');
    expect(nobody.filter('read', person)).to.deep.equal({ op: 'or', parts: [] });
  });

  it('takes full for every permission, and four permissions together not for full', () => {
    expect(rightsFrom({ 'c:::person@demo': ['full'] }).mayObject('use', person, '1')).to.equal(true);
    expect(rightsFrom({ 'ws:::x': ['read', 'write', 'delete', 'use'] }).may('full', 'ws:::x')).to.equal(false);
  });

  it('lets a right on a class hold for its descendants, never for its ancestors', () => {
    const rights = rightsFrom({ 'c:::employee@demo': ['read'] });
    expect(rights.mayObject('read', manager, '1')).to.equal(true);
    expect(rights.mayObject('read', person, '1')).to.equal(false);
    expect(rights.mayObject('write', manager, '1')).to.equal(false);
    expect(rights.mayClass('read', person)).to.equal('some');
    expect(rights.filter('read', person)).to.deep.equal({
      op: 'in',
      path: '_class',
      values: ['employee@demo', 'manager@demo'],
    });
  });

  it('grants single objects, ids with @ included', () => {
    const rights = rightsFrom({ 'i:::employee@demo@a@b': ['read', 'write'] });
    expect(rights.mayObject('write', employee, 'a@b')).to.equal(true);
    expect(rights.mayObject('write', manager, 'a@b'), 'an object of a descendant is one of the class').to.equal(true);
    expect(rights.mayObject('write', person, 'a@b')).to.equal(false);
    expect(rights.mayObject('write', employee, 'a')).to.equal(false);
    expect(rights.filter('read', employee)).to.deep.equal({ op: 'in', path: '_id', values: ['a@b'] });
    expect(rights.filter('read', person)).to.deep.equal({
      op: 'and',
      parts: [
        { op: 'in', path: '_id', values: ['a@b'] },
        { op: 'in', path: '_class', values: ['employee@demo', 'manager@demo'] },
      ],
    });
  });

  it('opens a service to all until any role names it', () => {
    expect(rightsFrom({}).may('use', 's:::echo')).to.equal(true);
    expect(rightsFrom({}, ['s:::echo']).may('use', 's:::echo')).to.equal(false);
    expect(rightsFrom({ 's:::echo': ['use'] }, ['s:::echo']).may('use', 's:::echo')).to.equal(true);
    expect(rightsFrom({}).may('use', 'ws:::gen-ws-token')).to.equal(false);
  });

  it('does not take resource names for anything else', () => {
    const rights = rightsFrom({ '': ['full'], constructor: ['full'], 'c:::': ['full'], 'i:::a@b': ['full'] });
    expect(rights.mayClass('read', person)).to.equal('none');
    expect(rights.may('read', '__proto__')).to.equal(false);
  });

  it('says which rule decided', () => {
    const rights = compileRights(
      [{ ...role({ 'c:::person@demo': ['read'] }, 'editor'), source: 'acl/roles.yml' }],
      new Set(),
      { get: (code) => (code === 'manager@demo' ? manager : undefined) },
    );
    expect(rights.explain('read', 'i:::manager@demo@7')).to.deep.equal({
      allowed: true,
      rule: 'role editor gives read on c:::person@demo (acl/roles.yml)',
    });
    expect(rights.explain('write', 'c:::manager@demo').allowed).to.equal(false);
  });
});
