/** What a custom service imports from 'portico'. */
export { Service, type ErrorFace, type Routes } from './service.ts';
export type { Envelope, Handler, ServiceRequest, ServiceResult, UploadedFile } from './request.ts';
export type { Identity } from '#accounts/identity.ts';
export type { Log } from '#log.ts';
export { AppError } from '#errors.ts';
export type { Item, ListOptions, Repository, Values, WriteOptions } from '#data/repository.ts';
export type { Filter } from '#query/filter.ts';
