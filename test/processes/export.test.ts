/** `export`, `import` and `validate --hash` as people and scripts call them: real processes, real files. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { commandLine } from '../support/program.ts'

const root = resolve(import.meta.dirname, '../..')
const cli = await commandLine()
const sample = join(root, 'resources/samples/order-saga.json')

function sagasmith(...args: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [cli, ...args], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  return { out: stdout, err: stderr, code: status }
}

describe('a workflow handed over on the command line', () => {
  test('as JSON comes back to the byte', () => {
    const folder = temporaryFolder()
    const [first, second] = [join(folder, 'a.json'), join(folder, 'b.json')]
    expect(sagasmith('export', sample, '--to', 'json', '--out', first)).toMatchObject({ out: '', code: 0 })
    expect(sagasmith('import', first, '--to', 'json', '--out', second).code).toBe(0)
    expect(readFileSync(second, 'utf8')).toBe(readFileSync(first, 'utf8'))
    expect(sagasmith('export', second, '--to', 'json').out).toBe(readFileSync(first, 'utf8'))
  })

  test('as TypeScript has the same definition hash, read back and run', () => {
    const folder = temporaryFolder()
    const [code, json] = [join(folder, 'order.ts'), join(folder, 'order.json')]
    expect(sagasmith('export', sample, '--to', 'ts', '--out', code).code).toBe(0)
    const hash = sagasmith('validate', sample, '--hash').out
    expect(hash).toMatch(/^w1_[0-9a-f]{64}\n$/)
    expect(sagasmith('import', code, '--out', json).code).toBe(0)
    expect(sagasmith('validate', json, '--hash').out).toBe(hash)

    // As in a project that installed Sagasmith.
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules/sagasmith'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const script = `import('./order.ts').then((module) => console.log(JSON.stringify(module.default)))`
    const run = spawnSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8' })
    writeFileSync(json, run.stdout)
    expect(sagasmith('validate', json, '--hash').out).toBe(hash)
  })

  test('as code that computes something is refused with the place and what to do', () => {
    const file = join(temporaryFolder(), 'own.ts')
    writeFileSync(file, "export default defineWorkflow({\n  id: 'w',\n  nodes: make(),\n})\n")
    const { out, err, code } = sagasmith('import', file, '--to', 'json')
    expect(out).toBe('')
    expect(code).toBe(2)
    expect(err).toContain(
      'Line 3, column 10: “make” is a name, and its value is known only when the code runs.',
    )
    expect(err).toContain('Write the value itself')
  })

  test('as a picture comes back out of the picture', () => {
    const folder = temporaryFolder()
    const json = sagasmith('export', sample, '--to', 'json').out
    for (const form of ['svg', 'png']) {
      const picture = join(folder, `order.${form}`)
      expect(sagasmith('export', sample, '--to', form, '--theme', 'dark', '--out', picture).code).toBe(0)
      expect(sagasmith('import', picture, '--to', 'json').out).toBe(json)
    }
  })

  test('in a form that there isn’t is a mistake of the call', () => {
    expect(sagasmith('export', sample, '--to', 'yaml')).toMatchObject({ out: '', code: 2 })
    expect(sagasmith('import', sample, '--to', 'ts').err).toContain('Use --to json')
  })
})
