/** Generated TypeScript as the tools of its readers see it: the compiler and the formatter. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { writeCode } from '../../../src-engine/model/code/write-code.ts'
import { readDocument } from '../../../src-engine/model/read-document.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { triggerSpecsByKind } from '../../../src-engine/triggers/specs.ts'
import { anyDocument } from '../../support/any-document.ts'

const root = resolve(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'sagasmith-code-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const known = { tasks: taskSpecsByKind, triggers: triggerSpecsByKind }

function writeModules(): readonly string[] {
  const samples = join(root, 'resources/samples')
  const documents = readdirSync(samples)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const read = readDocument(readFileSync(join(samples, name), 'utf8'))
      if (!read.ok) throw read.error
      return read.value.document
    })
  const modules = [...documents, ...fc.sample(anyDocument, { numRuns: 60, seed: 7 })].map((document) =>
    writeCode(document, known),
  )
  for (const [index, code] of modules.entries()) writeFileSync(join(folder, `w${index}.ts`), code)
  return modules
}

const hasOddWidths = (code: string): boolean => /[^\0-\u024f\p{Script=Han}\p{Emoji_Presentation}]/u.test(code)

const program = (name: string, args: readonly string[]) =>
  spawnSync(process.execPath, [join(root, 'node_modules', name), ...args], { encoding: 'utf8', cwd: folder })

describe('generated modules', () => {
  const modules = writeModules()

  test('type-check, whatever is in the document', () => {
    const config = {
      compilerOptions: {
        target: 'es2024',
        lib: ['es2024'],
        types: [],
        module: 'esnext',
        moduleResolution: 'bundler',
        allowImportingTsExtensions: true,
        noEmit: true,
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        verbatimModuleSyntax: true,
        skipLibCheck: true,
        paths: {
          sagasmith: [join(root, 'src-engine/sdk/workflow-builder.ts')],
          zod: [join(root, 'node_modules/zod')],
        },
      },
      include: ['*.ts'],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    // By itself it has a checker for each core, and each of them reads all that the modules import.
    const { stdout, status } = program('typescript/bin/tsc', ['-p', folder, '--singleThreaded'])
    expect(stdout).toBe('')
    expect(status).toBe(0)
  })

  test('are formatted as the formatter would format them', () => {
    writeFileSync(join(folder, 'biome.json'), readFileSync(join(root, 'biome.json')))
    const options = ['format', '--write', '--vcs-enabled=false', '--max-diagnostics=none', folder]
    program('@biomejs/biome/bin/biome', options)
    for (const [index, code] of modules.entries()) {
      // How wide the letters of some scripts are is a matter of opinion.
      if (hasOddWidths(code)) continue
      expect(readFileSync(join(folder, `w${index}.ts`), 'utf8')).toBe(code)
    }
  })
})
