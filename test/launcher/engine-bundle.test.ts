/** What the bundler does to the engine's code. */

import { expect, test } from 'vitest'
import { builtinsByCall as asked } from '../../bin/engine-bundle.mjs'

test('modules of Node are asked for by a call, which reads nothing but what is named', () => {
  expect(asked('import { join } from "node:path";\n')).toBe(
    'const { join } = process.getBuiltinModule("node:path");\n',
  )
  expect(asked('import { open, rm as rm$1 } from "node:fs/promises";\n')).toBe(
    'const { open, rm: rm$1 } = process.getBuiltinModule("node:fs/promises");\n',
  )
  expect(asked('import net from "node:net";\n')).toBe('const net = process.getBuiltinModule("node:net");\n')
})

test('all other imports, and texts that look like one, stay as they are', () => {
  const code = [
    'import { t } from "./chunk-a1.js";',
    'import Database from "better-sqlite3";',
    'import * as all from "node:os";',
    'const text = `',
    'import { join } from "node:path";',
    '`;',
    'const { get } = await import("node:http");',
  ].join('\n')
  expect(asked(code)).toBe(code)
})

test('lines stay where they were, so that places in errors are true', () => {
  const code =
    'import { a } from "node:fs";\nimport { b, c as d } from "node:os";\nthrow new Error("here");\n'
  expect(asked(code).split('\n')).toHaveLength(code.split('\n').length)
})
