// Makes TypeScript types of the JSON schemas in docs/schema.

/** Every keyword that the schemas have. Those of the last line make no difference to a type. */
const KEYWORDS = new Set([
  ...['type', 'properties', 'patternProperties', 'required', 'items', 'minItems', 'maxItems', 'enum', 'const', 'oneOf', '$ref', '$defs'],
  ...['additionalProperties', 'propertyNames'],
  ...['$schema', 'title', 'description', 'minimum', 'maximum', 'pattern', 'minLength'],
]);

const SIMPLE = { string: 'string', boolean: 'boolean', integer: 'number', number: 'number', null: 'null' };

/** The types of one schema: `prefix`Document for the document itself, and one for each of its definitions. */
export function types(prefix, schema) {
  const named = Object.entries(schema.$defs ?? {}).map(([name, definition]) => [typeName(prefix, name), definition]);
  const all = [[`${prefix}Document`, schema], ...named];
  return all.map(([name, each]) => `${comment(each.description ?? each.title, '')}${declaration(prefix, name, each)}`).join('\n');
}

/** Such as SolveCountAnswer for `count-answer`. */
function typeName(prefix, name) {
  const words = name.split(/[-_]/).map((word) => word[0].toUpperCase() + word.slice(1));
  return prefix + words.join('');
}

function declaration(prefix, name, schema) {
  const type = typeOf(prefix, schema, '');
  const isObject = type.startsWith('{') && type.endsWith('\n}');
  return isObject ? `export interface ${name} ${type}\n` : `export type ${name} = ${type};\n`;
}

function typeOf(prefix, schema, indent) {
  const unknown = Object.keys(schema).find((keyword) => !KEYWORDS.has(keyword));
  if (unknown) {
    throw new Error(`types.mjs does not know the keyword ${unknown} of JSON schema`);
  }
  const inner = (each) => typeOf(prefix, each, indent);
  if (schema.$ref) {
    return typeName(prefix, schema.$ref.replace(/^#\/\$defs\//, ''));
  }
  if (schema.oneOf) {
    return schema.oneOf.map(inner).join(' | ');
  }
  if (schema.enum || 'const' in schema) {
    return (schema.enum ?? [schema.const]).map((value) => JSON.stringify(value)).join(' | ');
  }
  const alternatives = [schema.type].flat().map((type) => {
    switch (type) {
      case 'object':
        return objectType(prefix, schema, indent);
      case 'array':
        return arrayType(schema, inner(schema.items));
      default:
        return SIMPLE[type];
    }
  });
  return alternatives.join(' | ');
}

/** A tuple if the length is fixed. */
function arrayType({ minItems, maxItems }, item) {
  if (maxItems !== undefined && minItems === maxItems) {
    return `[${Array(maxItems).fill(item).join(', ')}]`;
  }
  return /[|{]/.test(item) ? `Array<${item}>` : `${item}[]`;
}

/** The name of a member, in quotes where it is no identifier. */
function member(name) {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

function objectType(prefix, schema, indent) {
  const { properties = {}, required = [], patternProperties = {}, additionalProperties, propertyNames = {} } = schema;
  if (typeof additionalProperties === 'object') {
    // A table: every member is of one type.
    const type = typeOf(prefix, additionalProperties, indent);
    return propertyNames.enum ? `Partial<Record<${typeOf(prefix, propertyNames, indent)}, ${type}>>` : `Record<string, ${type}>`;
  }
  const deeper = `${indent}  `;
  const members = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(schema.description, deeper)}${deeper}${member(name)}${mark}: ${typeOf(prefix, schema, deeper)};\n`;
  });
  for (const [pattern, schema] of Object.entries(patternProperties)) {
    // TypeScript has names with a prefix, such as that of ^x-[a-z]+$.
    const [, start] = pattern.match(/^\^([\w-]+)\[/);
    members.push(`${deeper}[name: \`${start}\${string}\`]: ${typeOf(prefix, schema, deeper)};\n`);
  }
  return members.length === 0 ? 'Record<string, never>' : `{\n${members.join('')}${indent}}`;
}

function comment(text, indent) {
  return text ? `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n` : '';
}
