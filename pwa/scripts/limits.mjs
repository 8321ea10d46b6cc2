// Writes src/api/limits.gen.ts, defaults.gen.ts and errors.gen.ts from the OpenAPI document: what the server accepts at
// most, its defaults, and the types of the parameters of its errors.
import { readFileSync, writeFileSync } from 'node:fs';

const document = JSON.parse(readFileSync('src/api/openapi.json', 'utf8'));
const { schemas } = document.components;
const resolve = (schema) => (schema.$ref ? resolve(schemas[schema.$ref.split('/').at(-1)]) : schema);
const upper = (name) =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/\W/g, '_')
    .toUpperCase();

/** The limits of the properties of an object by their path, as { prompts: 3, 'prompts.answer': 250 }. */
function limitsOf(schema, path = '') {
  return Object.entries(schema.properties ?? {}).flatMap(([name, reference]) => {
    const property = resolve(reference);
    // x-limit is that of the stored text, if the schema allows more because the text is trimmed first.
    const limit = property['x-limit'] ?? property.maxLength ?? property.maxItems ?? property.maximum;
    const items = property.items && resolve(property.items);
    const inner = limitsOf(items ?? property, `${path}${name}.`);
    if (items?.maxLength) inner.push([`${path}${name}.each`, items['x-limit'] ?? items.maxLength]);
    return name === '$schema' || limit === undefined ? inner : [[path + name, limit], ...inner];
  });
}

/** The parameters of the query that are an operation's own. */
const parametersOf = ({ parameters = [] }) =>
  parameters
    .filter((parameter) => parameter.in === 'query' && !['cursor', 'limit'].includes(parameter.name))
    .map(({ name, schema }) => [name, schema]);

const limits = [
  '// Generated from openapi.json by `npm run schema`.',
  '// The limits of what operations accept in their bodies: characters of texts, entries of lists, highest numbers;',
  '// EACH is the limit of a list’s entry.',
];
for (const operation of Object.values(document.paths).flatMap(Object.values)) {
  const body = operation.requestBody?.content['application/json'];
  const query = { properties: Object.fromEntries(parametersOf(operation)) };
  pushLimits(operation.operationId, query);
  if (body) pushLimits(operation.operationId, resolve(body.schema));
}
// What no operation takes in the form in which the member sees it.
limits.push('', '// The limits of what operations return.');
for (const name of ['Me', 'DailyEntry']) pushLimits(name, schemas[name]);
// The lists of words are the lists that can be chosen from, filtered by, and have a limit.
const words = Object.entries(schemas.Changes.properties)
  .filter(([name]) => schemas.Options.properties[name] && schemas.FilterSet.properties[name])
  .map(([name, { maxItems }]) => [name, maxItems]);
const defaults = [
  '// Generated from openapi.json by `npm run schema`.',
  "import type { FilterSet, NotificationSettings, PulseQuestion, WordList } from './types.ts';",
  '',
  '/** The filters of a member who has saved none. */',
  `export const filterDefaults: FilterSet = ${JSON.stringify(schemas.FilterSet.default)};`,
  '',
  '/** The settings of a member who has saved none. */',
  `export const notificationDefaults: NotificationSettings = ${JSON.stringify(schemas.Preferences.default)};`,
  '',
  '/** How many words of each list a member can choose. */',
  `export const maxWords: Record<WordList, number> = ${JSON.stringify(Object.fromEntries(words))};`,
  '',
  '/** The questions of the Love Pulse in the order of the days. */',
  `export const pulseQuestions: readonly PulseQuestion[] = ${JSON.stringify(schemas.DailyEntry.properties.question.enum)};`,
];
// The types of an error's parameters by their names. They cost nothing at run time.
const types = {
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  string: 'string',
  'date-time': 'string',
};
const fieldsOf = (params) =>
  Object.entries(params)
    .map(([name, type]) => `${name}${name === 'retryAfter' ? '?' : ''}: ${types[type]}`)
    .join('; ');
const errors = [
  '// Generated from openapi.json by `npm run schema`.',
  '/** The parameters of the error codes that have some; retryAfter is in seconds. */',
  'export type ErrorParams = {',
  ...Object.entries(schemas.ErrorCode['x-params']).map(
    ([code, params]) => `  ${code}: { ${fieldsOf(params)} };`,
  ),
  '};',
];
write('limits', limits);
write('errors', errors);
write('defaults', defaults);

function pushLimits(owner, schema) {
  for (const [path, limit] of limitsOf(schema))
    limits.push(`export const MAX_${upper(`${owner}_${path}`)} = ${limit};`);
}

function write(name, lines) {
  writeFileSync(`src/api/${name}.gen.ts`, `${lines.join('\n')}\n`);
}
