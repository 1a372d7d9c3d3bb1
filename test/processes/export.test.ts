/** `export`, `import` and `validate --hash` as people and scripts call them, on real files. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { ended as sagasmith } from './sagasmith.ts'

const root = resolve(import.meta.dirname, '../..')
const sample = join(root, 'resources/samples/order-saga.json')

describe('a workflow handed over on the command line', () => {
  test('as JSON comes back to the byte', async () => {
    const folder = temporaryFolder()
    const [first, second] = [join(folder, 'a.json'), join(folder, 'b.json')]
    expect(await sagasmith(['export', sample, '--to', 'json', '--out', first])).toMatchObject({
      out: '',
      code: 0,
    })
    expect((await sagasmith(['import', first, '--to', 'json', '--out', second])).code).toBe(0)
    expect(readFileSync(second, 'utf8')).toBe(readFileSync(first, 'utf8'))
    expect((await sagasmith(['export', second, '--to', 'json'])).out).toBe(readFileSync(first, 'utf8'))
  })

  test('with a secret in plain text says so, and leaves it out when asked to', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'shop.json')
    const nodes = {
      ask: { kind: 'http-request', parameters: { headers: { Authorization: 'Bearer canary-4711' } } },
    }
    writeFileSync(
      file,
      JSON.stringify({
        ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'w', title: 'Shop', nodes, edges: {} },
        variables: { password: 'canary-4712' },
      }),
    )
    const kept = await sagasmith(['export', file, '--to', 'json'])
    expect(kept.out).toContain('canary-4711')
    expect(kept.err).toContain('nodes.ask.parameters.headers.Authorization\n')
    expect(kept.err).toContain('Use --secrets leave-out')
    for (const form of ['json', 'ts', 'svg']) {
      const { out, err, code } = await sagasmith(['export', file, '--to', form, '--secrets', 'leave-out'])
      expect(code).toBe(0)
      expect(out).toContain('{{ secrets.ASK_AUTHORIZATION }}')
      expect(err).toContain('headers.Authorization: now {{ secrets.ASK_AUTHORIZATION }}')
      expect(err).toContain('variables.password: left out')
      expect(out + err + kept.err).not.toContain('canary-')
    }
    const wrong = await sagasmith(['export', file, '--to', 'json', '--secrets', 'hide'])
    expect(wrong).toMatchObject({ code: 2, out: '' })
    const other = await sagasmith(['export', file, '--to', 'bogus'])
    expect(other).toMatchObject({ code: 2, out: '' })
    expect(other.err).toContain('There is no form “bogus”.')
    expect((await sagasmith(['export', file])).err).toContain('Say which form is wanted.')
  })

  test('as TypeScript has the same definition hash, read back and run', async () => {
    const folder = temporaryFolder()
    const [code, json] = [join(folder, 'order.ts'), join(folder, 'order.json')]
    expect((await sagasmith(['export', sample, '--to', 'ts', '--out', code])).code).toBe(0)
    const hash = (await sagasmith(['validate', sample, '--hash'])).out
    expect(hash).toMatch(/^w1_[0-9a-f]{64}\n$/)
    expect((await sagasmith(['validate', code, '--hash'])).out).toBe(hash)
    expect((await sagasmith(['import', code, '--out', json])).code).toBe(0)
    expect((await sagasmith(['validate', json, '--hash'])).out).toBe(hash)

    // As in a project that installed Sagasmith.
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules/sagasmith'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const script = `import('./order.ts').then((module) => console.log(JSON.stringify(module.default)))`
    const run = spawnSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8' })
    writeFileSync(json, run.stdout)
    expect((await sagasmith(['validate', json, '--hash'])).out).toBe(hash)
  })

  test('as code that computes something is refused with the place and what to do', async () => {
    const file = join(temporaryFolder(), 'own.ts')
    writeFileSync(file, "export default defineWorkflow({\n  id: 'w',\n  nodes: make(),\n})\n")
    const { out, err, code } = await sagasmith(['import', file, '--to', 'json'])
    expect(out).toBe('')
    expect(code).toBe(2)
    expect(err).toContain(
      'Line 3, column 10: “make” is a name, and its value is known only when the code runs.',
    )
    expect(err).toContain('Write the value itself')
  })

  test('as a picture comes back out of the picture', async () => {
    const folder = temporaryFolder()
    const json = (await sagasmith(['export', sample, '--to', 'json'])).out
    for (const form of ['svg', 'png']) {
      const picture = join(folder, `order.${form}`)
      expect(
        (await sagasmith(['export', sample, '--to', form, '--theme', 'dark', '--out', picture])).code,
      ).toBe(0)
      expect((await sagasmith(['import', picture, '--to', 'json'])).out).toBe(json)
    }
  })

  test('in a form that there isn’t is a mistake of the call', async () => {
    expect(await sagasmith(['export', sample, '--to', 'yaml'])).toMatchObject({ out: '', code: 2 })
    expect((await sagasmith(['import', sample, '--to', 'ts'])).err).toContain('Use --to json')
  })
})
