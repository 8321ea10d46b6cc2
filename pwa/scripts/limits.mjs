// Writes src/api/limits.gen.ts and defaults.gen.ts from the OpenAPI document: what the server accepts at most, and its
// defaults.
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
    const inner = limitsOf(property.items ? resolve(property.items) : property, `${path}${name}.`);
    return name === '$schema' || limit === undefined ? inner : [[path + name, limit], ...inner];
  });
}

const limits = [
  '// Generated from openapi.json by `npm run schema`.',
  '// The limits of what operations accept in their bodies: characters of texts, entries of lists, highest numbers.',
];
for (const operation of Object.values(document.paths).flatMap(Object.values)) {
  const body = operation.requestBody?.content['application/json'];
  for (const [path, limit] of body ? limitsOf(resolve(body.schema)) : [])
    limits.push(`export const MAX_${upper(`${operation.operationId}_${path}`)} = ${limit};`);
}
// The lists of words are the lists that can be chosen from, filtered by, and have a limit.
const words = Object.entries(schemas.Changes.properties)
  .filter(([name]) => schemas.Options.properties[name] && schemas.FilterSet.properties[name])
  .map(([name, { maxItems }]) => [name, maxItems]);
const defaults = [
  '// Generated from openapi.json by `npm run schema`.',
  "import type { FilterSet, NotificationSettings, WordList } from './types.ts';",
  '',
  '/** The filters of a member who has saved none. */',
  `export const filterDefaults: FilterSet = ${JSON.stringify(schemas.FilterSet.default)};`,
  '',
  '/** The settings of a member who has saved none. */',
  `export const notificationDefaults: NotificationSettings = ${JSON.stringify(schemas.Preferences.default)};`,
  '',
  '/** How many words of each list a member can choose. */',
  `export const maxWords: Record<WordList, number> = ${JSON.stringify(Object.fromEntries(words))};`,
];
write('limits', limits);
write('defaults', defaults);

function write(name, lines) {
  writeFileSync(`src/api/${name}.gen.ts`, `${lines.join('\n')}\n`);
}
