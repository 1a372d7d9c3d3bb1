/**
 * Texts that are made to break what reads them, through each step that reads texts: each is refused in words, or read as
 * data, within a moment and without a trace in the objects of the engine.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { SagasmithError } from '../../../src-engine/model/errors.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { inputJsonSchema } from '../../../src-engine/model/schema-walk.ts'
import { createParseDataRun } from '../../../src-engine/tasks/data/parse.ts'
import { createParseHtmlRun } from '../../../src-engine/tasks/data/parse-html.ts'
import { createTextReader } from '../../../src-engine/tasks/data/text-reader.ts'
import { createReadRowsRun } from '../../../src-engine/tasks/read-rows/run.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import type { TaskRun } from '../../../src-engine/tasks/task.ts'
import { outputOf, taskContext } from '../../support/task-context.ts'

const folder = mkdtempSync(join(tmpdir(), 'sagasmith-hostile-'))
afterAll(() => rmSync(folder, { recursive: true }))

const many = (count: number, made: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => made(index)).join('')

/** As large as a text may be: what grows faster than its text shows. */
const long = 1_900_000
const bomb = many(30, (index) =>
  index === 0 ? 'a0: &a0 [x, x]\n' : `a${index}: &a${index} [*a${index - 1}, *a${index - 1}]\n`,
)

/** What stands in a text, in a row of a file too, and what becomes of it: a code, or data. */
const yaml: Readonly<Record<string, readonly [text: string, outcome: string]>> = {
  'lists in lists without end': ['['.repeat(long), 'data_invalid'],
  'lists in lists, closed': [`${'['.repeat(1e5)}${']'.repeat(1e5)}`, 'data_invalid'],
  'maps in maps': ['{a: '.repeat(4e5), 'data_invalid'],
  'items in items of a line': ['- '.repeat(long / 2), 'data_invalid'],
  'keys in keys of a line': ['? '.repeat(long / 2), 'data_invalid'],
  'maps by indents': [many(1_900, (index) => `${' '.repeat(index)}a:\n`), 'data_invalid'],
  'an anchor in itself': ['a: &a [*a]', 'data_invalid'],
  'anchors that multiply': [bomb, 'data_invalid'],
  'a large anchor, repeated': [`a: &a [${'1,'.repeat(6e4)}]\nb: [${'*a,'.repeat(99)}]`, 'data_invalid'],
  'a name of objects': ['__proto__:\n  polluted: true', 'data_invalid'],
  'a name of objects in a list': ['- constructor: {prototype: {polluted: true}}', 'data_invalid'],
  'a name of objects by a merge': ['a: &a {__proto__: {polluted: 1}}\nb: {<<: *a}', 'data_invalid'],
  'a function': ['a: !!js/function "function () { return process }"', 'data_invalid'],
  'a pattern': ['a: !!js/regexp /(a+)+$/', 'data_invalid'],
  'nothing, as a tag': ['a: !<tag:yaml.org,2002:js/undefined> x', 'data_invalid'],
  'an object of Python': ['a: !!python/object/apply:os.system ["id"]', 'data_invalid'],
  'an object of Java': ['a: !!javax.script.ScriptEngineManager [x]', 'data_invalid'],
  bytes: ['a: !!binary aGVsbG8=', 'data_invalid'],
  'a set': ['a: !!set {b, c}', 'data_invalid'],
  'a tag that stands for another': ['%TAG ! tag:evil,2000:\n---\n!x a', 'data_invalid'],
  'a name twice': ['a: 1\nb: 2\n"a": 3', 'data_invalid'],
  'a name twice in braces': ['{a: 1, ? a : 2}', 'data_invalid'],
  'many names': [many(3e4, (index) => `k${index}: 1\n`), 'data'],
  'many keys in braces': [`{${many(300, (index) => `? k${index} : 1, `)}}`, 'data'],
  'brackets that are none': ['a: "[[[["\nb: \'{{{{\'\nc: |\n  [[[[\n  - - - -\nd: x[[[[', 'data'],
  'more than is read in one go': [' '.repeat(2_000_001), 'payload_too_large'],
}
const xml: typeof yaml = {
  'elements in elements': ['<a>'.repeat(long / 3), 'data_invalid'],
  'entities that multiply': [
    '<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;&x;&x;">]><a><b>&z;</b></a>',
    'data_invalid',
  ],
  'an entity of a file': [
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a><b>&x;</b></a>',
    'data_invalid',
  ],
  'an entity of a server': ['<!DOCTYPE a SYSTEM "http://127.0.0.1:9/x"><a><b/></a>', 'data_invalid'],
  'a parameter entity': [
    '<!DOCTYPE a [<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]><a><b/></a>',
    'data_invalid',
  ],
  'an entity that is none': ['<a><b>&x;</b></a>', 'data_invalid'],
  'a name of objects': ['<a><b><constructor>1</constructor></b></a>', 'data_invalid'],
  'an attribute of objects': ['<a><b __proto__="1"/></a>', 'data'],
  'what an include would fetch': [
    '<a><b xmlns:i="http://www.w3.org/2001/XInclude"><i:include href="/etc/passwd"/></b></a>',
    'data',
  ],
  'many attributes': [`<a><b ${many(5e4, (index) => `k${index}="1" `)}/></a>`, 'data'],
}
const html: typeof yaml = {
  'elements in elements': ['<b>'.repeat(long / 3), 'data_invalid'],
  'tables in tables': ['<table><tr><td>'.repeat(2_000), 'data_invalid'],
  'comments that don’t end': ['<!--'.repeat(long / 4), 'data'],
  'signs that begin nothing': ['<'.repeat(long), 'data'],
  'many elements': ['<p>'.repeat(1e5), 'data'],
  'a program': [
    '<script>globalThis.polluted = 1</script><img src=x onerror="globalThis.polluted=1">',
    'data',
  ],
}

const texts = createTextReader()
const runs = {
  'parse-data': createParseDataRun(texts),
  'parse-html': createParseHtmlRun(texts),
  'read-rows': createReadRowsRun(texts),
}

const outcomeOf = async (kind: keyof typeof runs, raw: JsonObject): Promise<string> => {
  try {
    const parameters = taskSpecsByKind.get(kind)?.parameters.parse(raw)
    // Each takes what its own schema gives.
    const run = runs[kind] as TaskRun<unknown>
    outputOf(await run.execute(parameters, taskContext({ baseDirectory: folder })))
    return 'data'
  } catch (thrown) {
    if (thrown instanceof SagasmithError) return thrown.code
    throw thrown
  }
}

function expectNothingLeft(): void {
  expect('polluted' in {}).toBe(false)
  expect('polluted' in globalThis).toBe(false)
}

describe.for([
  ['yaml', yaml],
  ['xml', xml],
  ['html', html],
] as const)('%s', ([format, payloads]) => {
  const cases = Object.entries(payloads).map(([name, [text, outcome]]) => ({ name, text, outcome }))

  test.for(cases)('as a text: $name', async ({ text, outcome }) => {
    const raw =
      format === 'html' ? { html: text, fields: { all: '', b: 'b', inner: '@html' } } : { text, format }
    expect(await outcomeOf(format === 'html' ? 'parse-html' : 'parse-data', raw)).toBe(outcome)
    expectNothingLeft()
  })

  test.for(cases)('as rows of a file: $name', async ({ text, outcome }) => {
    writeFileSync(join(folder, 'a'), text)
    const found = await outcomeOf('read-rows', { path: 'a', format, maxBytes: 10_000_000 })
    // A row that is never closed is too long before it is too deep, and spaces are no document.
    const also = ['task_output_too_large', ...(outcome === 'payload_too_large' ? ['data'] : [])]
    expect([outcome, ...also]).toContain(found)
    expectNothingLeft()
  })
})

test('there is a reader for each text that a step takes apart', () => {
  const formatsOf = (kind: string): readonly string[] => {
    const spec = taskSpecsByKind.get(kind)
    const { properties } = spec === undefined ? {} : inputJsonSchema(spec.parameters)
    const { format } = properties as { readonly format: { readonly enum: readonly string[] } }
    return format.enum
  }
  // Of these CSV, lines and JSON Lines have no levels and no names that mean anything; JSON is read by the platform.
  const flat = ['csv', 'lines', 'jsonl', 'json']
  const deep = [...formatsOf('parse-data'), ...formatsOf('read-rows')].filter((name) => !flat.includes(name))
  expect([...new Set(deep)].toSorted()).toEqual(['html', 'xml', 'yaml'])
})
