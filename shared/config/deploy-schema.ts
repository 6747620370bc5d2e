import { z } from 'zod';
import type { ComponentDefinition, ComponentDefinitions } from './config.ts';

const absent = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === null ? undefined : value), schema.optional());

/** Keys that are not ours are kept by nobody and are no faults. `null` is as good as absent, so that an override can take a key away. */
export const componentSchema = z.object({
  module: absent(z.string().min(1)),
  executable: absent(z.string().min(1)),
  options: absent(z.record(z.string(), z.unknown())),
  initMethod: absent(z.string().min(1)),
  initLevel: absent(z.number().int()),
});

const withoutNulls = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, held]) => held !== null))
    : value;

const record = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => withoutNulls(value ?? {}), z.record(z.string(), schema));

/** A module that is not ours may hold anything; of the registry only gateways are ours. */
const anyModule = z.object({ globals: absent(z.object({ di: z.unknown().optional() })) });

export const deploySchema = z.object({
  namespace: z
    .string({ error: 'the namespace of the application is missing' })
    .regex(/^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u, 'letters, digits, "_", "-" and "." only'),
  globals: absent(z.object({ plugins: record(componentSchema), settings: z.unknown().optional() })),
  modules: absent(
    z.object({
      rest: absent(
        z.object({
          globals: absent(
            z.object({
              di: record(componentSchema),
              authMode: record(z.union([z.string(), z.array(z.string())], 'a mode word or a list of them is needed')),
              endPoint: absent(z.string()),
            }),
          ),
        }),
      ),
      registry: absent(anyModule),
    }),
  ),
});

/** The components of a module that is not wholly ours: what has no form of a component is left out. */
export const lenientComponents = (di: unknown): ComponentDefinitions => {
  const held = z.record(z.string(), z.unknown()).safeParse(di);
  if (!held.success) return {};
  return Object.fromEntries(
    Object.entries(held.data).flatMap(([name, value]) => {
      const read = componentSchema.safeParse(value);
      return read.success ? [[name, tidy(read.data)]] : [];
    }),
  );
};

/** Without keys that hold undefined. */
export const tidy = (component: z.infer<typeof componentSchema>): ComponentDefinition =>
  Object.fromEntries(Object.entries(component).filter(([, value]) => value !== undefined));
