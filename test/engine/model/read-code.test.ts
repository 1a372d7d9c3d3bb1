/** Code that people edited: what is read back, what is refused and where, and that nothing of it ever runs. */

import { stripTypeScriptTypes } from 'node:module'
import { runInThisContext } from 'node:vm'
import fc from 'fast-check'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { readCode } from '../../../src-engine/model/code/read-code.ts'
import type { CodePlaces } from '../../../src-engine/model/code/read-value.ts'
import { pathKey } from '../../../src-engine/model/code/read-value.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { nestingMax } from '../../../src-engine/model/limits.ts'
import { defineWorkflow, extra, kept } from '../../../src-engine/sdk/workflow-builder.ts'

const moduleOf = (value: string): string => `import { defineWorkflow } from 'sagasmith'

export default defineWorkflow({
  id: 'w',
  variables: { it: ${value} },
  nodes: {},
})
`

function valueOf(value: string): unknown {
  const read = readCode(moduleOf(value))
  if (!read.ok) throw read.error
  return read.value.document.variables?.['it']
}

function refusalOf(code: string): { readonly code: string; readonly message: string; readonly hint: string } {
  const read = readCode(code)
  if (read.ok) throw new Error(`Expected a refusal of ${code}`)
  return read.error
}

describe('values in code are read', () => {
  test.for<[string, unknown]>([
    ["'it\\'s'", "it's"],
    ['"say \\"hi\\""', 'say "hi"'],
    ['`two\nlines`', 'two\nlines'],
    ['`win\r\ndows`', 'win\ndows'],
    ['`\\${x} \\` \\x20`', '${x} `  '],
    ["'\\u{1F389}\\u0041\\x41\\0\\v\\\n.'", '🎉AA\0\v.'],
    ['1_000.5e-1', 100.05],
    ['0xff', 255],
    ['-.5', -0.5],
    ['15 * 60_000', 900_000],
    ['(1 + 2) * 3 - 4 / 2', 7],
    ["'a' + 'b'", 'ab'],
    ['[1, [2,], {},]', [1, [2], {}]],
    ['{ a: 1, "b c": 2, [\'d\']: 3, 4: 5 }', { a: 1, 'b c': 2, d: 3, 4: 5 }],
    ['{ default: 1, class: 2, get: 3, async: 4 }', { default: 1, class: 2, get: 3, async: 4 }],
    ['{ /* one */ a: 1, // two\n }', { a: 1 }],
    ["kept(['x'])", ['x']],
    ["{ a: 1, ...extra({ 'x-owner': 2 }) }", { a: 1, 'x-owner': 2 }],
    ['true', true],
    ['null', null],
  ])('%s', ([code, value]) => {
    expect(valueOf(code)).toEqual(value)
  })

  test('with and without semicolons, as a named export, from a checkout', () => {
    const code = `#!/usr/bin/env node
// A note.
import { defineWorkflow, type kept } from '../../src-engine/index.ts';
export const orders = defineWorkflow({ id: 'orders', nodes: { a: { kind: 'noop' } }, edges: [['a', 'a']] });
`
    const read = readCode(code)
    expect(read.ok && read.value.document).toMatchObject({
      id: 'orders',
      edges: { e1: { from: { node: 'a', port: 'out' }, to: { node: 'a', port: 'in' } } },
    })
  })

  test('the place of every field is known', () => {
    const places: CodePlaces = new Map()
    const code = moduleOf('1').replace(
      'nodes: {}',
      "nodes: { fetch: { kind: 'log',  parameters: { message: 'hi' } } }",
    )
    readCode(code, places)
    const at = (...path: readonly string[]): string => {
      const span = places.get(pathKey(path))
      return span === undefined ? '' : code.slice(span.start, span.end)
    }
    expect(at('nodes', 'fetch')).toBe("fetch: { kind: 'log',  parameters: { message: 'hi' } }")
    expect(at('nodes', 'fetch', 'parameters', 'message')).toBe("message: 'hi'")
  })
})

describe('what only a run would give is refused with its place', () => {
  test.for<[string, string]>([
    ['process.exit(1)', '“process” is a name'],
    ['`${1}`', 'put together only when the code runs'],
    ['() => 1', 'functions are not read back'],
    ['(x) => 1', '“x” is a name'],
    ['function () {}', 'functions are not read back'],
    ['{ run() {} }', 'functions are not read back'],
    ['{ get a() { return 1 } }', 'functions are not read back'],
    ['{ name }', '“name” alone takes the value of a name'],
    ['{ [key]: 1 }', 'a name in brackets is known only'],
    ['{ ...others }', 'only extra({ … }) can be spread'],
    ['[...others]', 'lists are not spread'],
    ["'a'.repeat(9)", 'what “.” gives'],
    ['true ? 1 : 2', 'what “?” gives'],
    ['2 ** 40', 'what “*” gives'],
    ['new Date()', 'what “new” makes'],
    ['await import("x")', 'what “await” gives'],
    ['undefined', 'remove it'],
    ["{ a: 'x' } as const", 'types are not read back'],
    ['--1', 'two signs stand side by side'],
    ["1 + 'a'", 'only numbers can be reckoned with'],
    ['10n', 'this is not a number'],
    ['1__0', 'this is not a number'],
    ['0777', 'this is not a number'],
    ['1e999', 'too large'],
    ['1 / 0', 'too large'],
    ["'\\1'", 'no known escape'],
    ["'\\u{110000}'", 'no known escape'],
    ["'two\nlines'", 'the line ends inside a text'],
    ["'open", 'the line ends inside a text'],
    ['`open', 'never closed'],
    ['{ a: 1, a: 2 }', 'a second field “a”'],
    ['{ a: 1 b: 2 }', ', is expected between fields, but “b” stands here'],
    ['[1, , 2]', 'a value is missing'],
    ['/* open', 'never closed'],
    ['/x/', 'a value is expected'],
  ])('%s', ([value, reason]) => {
    const error = refusalOf(moduleOf(value))
    expect(error.code).toBe('code_unreadable')
    expect(error.message).toContain(reason)
    expect(error.message).toMatch(/^Line \d+, column \d+: /)
  })

  test.for<[string, string]>([
    ['', 'the code is empty'],
    ['const x = 1\nexport default x', '“const” stands here'],
    ["import fs from 'node:fs'\n", 'only single names are imported'],
    ["import { exec } from 'node:child_process'\n", 'what “exec” is'],
    ["import { defineWorkflow } from 'elsewhere'\n", 'not “elsewhere”'],
    ["export default defineWorkflow({ id: 'w', nodes: {} })\nsteal()\n", '“steal” stands after the workflow'],
    ['export default { id: 1 }', 'defineWorkflow({ … }) is expected'],
    ['export default defineWorkflow([])', 'an object is expected'],
  ])('around the workflow: %s', ([code, reason]) => {
    expect(refusalOf(code).message).toContain(reason)
  })

  test('with line, column and what to do', () => {
    const error = refusalOf(moduleOf('now()'))
    expect(error.message).toBe(
      'Line 5, column 20: “now” is a name, and its value is known only when the code runs.',
    )
    expect(error.hint).toMatch(/^Write the value itself/)
    expect(error).toMatchObject({ details: { line: 5, column: 20 } })
  })

  test('names that would change objects of the program, and endless nesting', () => {
    expect(refusalOf(moduleOf('{ __proto__: { a: 1 } }'))).toMatchObject({ code: 'document_invalid' })
    expect(refusalOf(moduleOf('{ ["__proto__"]: 1 }')).message).toContain('__proto__')
    const deep = refusalOf(moduleOf('['.repeat(nestingMax * 1_000)))
    expect(deep.message).toContain(`deeper than ${nestingMax} levels`)
    expect(refusalOf(moduleOf('- '.repeat(100_000))).message).toContain('deeper than')
    expect(({} as JsonObject)['a']).toBeUndefined()
  })
})

/** Pieces of code, put together at random: most of it is wrong, some of it is right. */
const pieces = [
  "'a'",
  '"b"',
  '`c`',
  '1',
  '2.5',
  '-',
  '+',
  '*',
  '/',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  ',',
  ':',
  'a',
  'b',
  'true',
  'null',
  'kept(',
  'extra(',
  '...',
  '// x\n',
  '/* y */',
  '\n',
  ' ',
  '=>',
  '?',
  '.',
  '${',
  '\\',
  "'",
  '`',
  '0x1',
  '1_0',
  'as const',
  'get',
  'async',
  '__proto__',
  ';',
  '!',
  '&&',
  '\u2028',
  '1e3',
  '#',
  '@',
] as const

test('whatever is read is right TypeScript, and running it gives the same', () => {
  let readCount = 0
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 }), (parts) => {
      const code = moduleOf(parts.join(''))
      const read = readCode(code)
      if (!read.ok) return
      readCount += 1
      expect(parseSync('w.ts', code).errors).toEqual([])
      const plain = stripTypeScriptTypes(code)
      const body = plain.slice(plain.indexOf('export default ') + 'export default '.length)
      const run = runInThisContext(`'use strict'; (defineWorkflow, extra, kept) => { return ${body} }`) as (
        ...sdk: readonly unknown[]
      ) => unknown
      expect(JSON.parse(JSON.stringify(read.value.document))).toEqual(
        JSON.parse(JSON.stringify(run(defineWorkflow, extra, kept))),
      )
    }),
    { numRuns: 10_000, seed: 7 },
  )
  expect(readCount).toBeGreaterThan(50)
})
